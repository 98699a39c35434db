// Parses a CSS list of font families: `Inter, "Noto Sans Arabic", serif`.

/** A name in a list. */
export interface FamilyName {
  readonly name: string;
  /** Whether the name stands in quotes: it is then that of a family, never a generic one. */
  readonly isQuoted: boolean;
}

/** A name in quotes with its escapes, which the end of the list may close; or all up to a comma. */
const ITEM = /\s*(?:"((?:[^"\\]|\\[\s\S])*)(?:"|$)|'((?:[^'\\]|\\[\s\S])*)(?:'|$)|)([^,]*)(?:,|$)/y;
/** CSS Syntax 3 section 4.3.7: up to six hexadecimal digits and one blank, or any other character. */
const ESCAPE = /\\(?:([\da-f]{1,6})\s?|([\s\S]))/gi;

/** The names of a list in their order, without empty ones. Blanks inside a name without quotes count as one. Never throws. */
export function parseFamilyList(list: string): FamilyName[] {
  const names: FamilyName[] = [];
  ITEM.lastIndex = 0;
  while (ITEM.lastIndex < list.length) {
    const [, double, single, rest] = ITEM.exec(list)!;
    const quoted = double ?? single;
    const name = withoutEscapes(quoted ?? rest.trim().replace(/\s+/g, ' '));
    if (name !== '') names.push({ name, isQuoted: quoted !== undefined });
  }
  return names;
}

function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(ESCAPE, (_all, digits?: string, character?: string) => {
    if (digits === undefined) return character === '\n' ? '' : character!;
    const codePoint = Number.parseInt(digits, 16);
    const isCharacter = codePoint > 0 && codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff);
    return isCharacter ? String.fromCodePoint(codePoint) : '\ufffd';
  });
}

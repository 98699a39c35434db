// Markup in plain text: `**strong**`, `_em_`, `~~del~~` and `==mark==` become stretches of text with markers, in linear time.
// The rules are those of CommonMark's emphasis: a marker opens before a character and closes behind one, so that a blank on
// its inner side makes it text; `_` inside a word is text. A pair may span line ends. When a pair closes, what opened inside
// it and is still open is text: of `**a _b** c_`, only the asterisks are markers. Further asterisks, tildes and equals
// signs than markers need stay outside of them: `***a***` is `*`, a strong a, `*`.
import { LETTER, WORD_BREAK } from '../unicode/data.js';
import { hasProperty } from '../unicode/properties.js';
import { lookupOf } from '../unicode/table.js';

export const MARKERS = ['strong', 'em', 'del', 'mark'] as const;
export type Marker = (typeof MARKERS)[number];

/** A stretch of text in the same markers. */
export interface MarkedText {
  readonly text: string;
  /** Markers without repetition, the outermost first. */
  readonly markers: readonly Marker[];
}

/** The character that a marker is made of, and how often. */
const SIGNS: ReadonlyMap<string, { readonly marker: Marker; readonly length: number }> = new Map([
  ['*', { marker: 'strong', length: 2 }],
  ['_', { marker: 'em', length: 1 }],
  ['~', { marker: 'del', length: 2 }],
  ['=', { marker: 'mark', length: 2 }],
]);

/** A backslash and what it makes text, or a run of one sign. */
const TOKENS = /\\([*_~=\\])|\*+|_+|~+|=+/g;

interface Delimiter {
  readonly marker: Marker;
  readonly sign: string;
  role: 'text' | 'open' | 'close';
}

/** Text, and markers that may turn out to be text. */
type Part = string | Delimiter;

/** The text without its markers: one stretch at least, none of them empty unless the whole text is. */
export function parseMarkup(source: string): MarkedText[] {
  return stretchesOf(partsOf(source));
}

function partsOf(source: string): Part[] {
  const parts: Part[] = [];
  const open: Delimiter[] = [];
  /** Number of open markers of each kind. */
  const counts = { strong: 0, em: 0, del: 0, mark: 0 };
  let end = 0;
  for (const { 0: token, 1: escaped, index } of source.matchAll(TOKENS)) {
    parts.push(source.slice(end, index));
    end = index + token.length;
    if (escaped !== undefined) {
      parts.push(escaped);
      continue;
    }
    const { marker, length } = SIGNS.get(token[0])!;
    const { canOpen, canClose } = sidesOf(source, index, end, marker);
    const sign = token.slice(0, length);
    let left = Math.floor(token.length / length);
    const further = token.slice(left * length);
    const closes = canClose && counts[marker] > 0;
    if (!closes) parts.push(further);
    for (; closes && left > 0 && counts[marker] > 0; left--) {
      let opener: Delimiter;
      do {
        opener = open.pop()!;
        counts[opener.marker]--;
      } while (opener.marker !== marker);
      opener.role = 'open';
      parts.push({ marker, sign, role: 'close' });
    }
    for (; left > 0; left--) {
      const delimiter: Delimiter = { marker, sign, role: 'text' };
      parts.push(delimiter);
      if (!canOpen) continue;
      open.push(delimiter);
      counts[marker]++;
    }
    if (closes) parts.push(further);
  }
  parts.push(source.slice(end));
  return parts;
}

const BLANK = /\s/;

/** Whether a run of signs can open and close: neither with a blank on the inner side, nor `_` inside a word. */
function sidesOf(source: string, start: number, end: number, marker: Marker): { canOpen: boolean; canClose: boolean } {
  const canOpen = end < source.length && !BLANK.test(source[end]);
  const canClose = start > 0 && !BLANK.test(source[start - 1]);
  if (marker !== 'em') return { canOpen, canClose };
  return { canOpen: canOpen && !isWordBefore(source, start), canClose: canClose && !isWordAt(source, end) };
}

const wordBreakOf = lookupOf(WORD_BREAK);

/** Whether a letter or digit starts at `index`. */
function isWordAt(source: string, index: number): boolean {
  const codePoint = source.codePointAt(index);
  return codePoint !== undefined && (hasProperty(codePoint, LETTER) || wordBreakOf(codePoint) === 'Numeric');
}

/** Whether a letter or digit, with the marks on it, ends at `index`. */
function isWordBefore(source: string, index: number): boolean {
  for (let start = index - 1; start >= 0; start--) {
    if (isLowSurrogate(source, start) && start > 0) start--;
    if (wordBreakOf(source.codePointAt(start)!) !== 'Extend') return isWordAt(source, start);
  }
  return false;
}

function isLowSurrogate(source: string, index: number): boolean {
  return (source.charCodeAt(index) & 0xfc00) === 0xdc00;
}

function stretchesOf(parts: readonly Part[]): MarkedText[] {
  const stretches: { text: string; readonly markers: readonly Marker[] }[] = [];
  const depths = { strong: 0, em: 0, del: 0, mark: 0 };
  let markers: readonly Marker[] = [];
  let text = '';
  const push = () => {
    const last = stretches.at(-1);
    // `**a****b**`: what closed has opened again at once
    if (last && last.markers.join() === markers.join()) last.text += text;
    else stretches.push({ text, markers });
  };
  const change = (changed: readonly Marker[]) => {
    if (text !== '') push();
    text = '';
    markers = changed;
  };
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else if (part.role === 'text') text += part.sign;
    else if (part.role === 'open') {
      if (depths[part.marker]++ === 0) change([...markers, part.marker]);
    } else if (--depths[part.marker] === 0) change(markers.slice(0, -1));
  }
  if (text !== '' || stretches.length === 0) push();
  return stretches;
}

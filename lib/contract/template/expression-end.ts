// Finds the end of an expression in a template's string: `{{= price * 2 }}`. Pages use it, so it does not import zod.

/**
 * Returns the index of the `}}` that ends the expression whose text starts at `from`: the first that is outside of a string
 * literal and closes no `{` of the expression. Returns -1 when there is none.
 */
export function expressionEnd(text: string, from: number): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const character = text[i];
    if (character === '"' || character === "'") {
      i = literalEnd(text, i) - 1;
      if (i < 0) return -1;
    } else if (character === '{') depth++;
    else if (character === '}' && depth > 0) depth--;
    else if (character === '}' && text[i + 1] === '}') return i;
  }
  return -1;
}

/**
 * Returns the index after the string literal whose first quote is at `open`; -1 when it is not closed. An `r` before the quote
 * makes it raw: a backslash in it is a character. Literals in three quotes may have several lines.
 */
export function literalEnd(text: string, open: number): number {
  const isRaw = isRawLiteral(text, open);
  const quote = text[open];
  const triple = quote.repeat(3);
  if (text.startsWith(triple, open)) {
    for (let i = open + 3; i < text.length; i++) {
      if (text[i] === '\\' && !isRaw) i++;
      else if (text.startsWith(triple, i)) return i + 3;
    }
    return -1;
  }
  for (let i = open + 1; i < text.length && text[i] !== '\n' && text[i] !== '\r'; i++) {
    if (text[i] === '\\' && !isRaw) i++;
    else if (text[i] === quote) return i + 1;
  }
  return -1;
}

/** Whether the `r` of a raw literal precedes the quote at `open`; an `r` that ends a word does not count. */
export function isRawLiteral(text: string, open: number): boolean {
  return /[rR]/.test(text[open - 1] ?? '') && !/\w/.test(text[open - 2] ?? '');
}

/** Whether a value is a string with an expression or a token: its type is known when it is resolved. */
export function isDynamic(value: unknown): boolean {
  return typeof value === 'string' && (value.includes('{{=') || value.includes('var(--'));
}

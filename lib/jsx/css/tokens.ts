// Splits CSS values at their top level: brackets and quotes keep what is in them together.

/** Splits at blanks, commas or slashes outside of brackets and quotes. */
export function splitTop(value: string, separator: ' ' | ',' | '/'): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let part = '';
  for (let i = 0; i < value.length; i++) {
    const character = value[i];
    if (quote !== '') {
      if (character === '\\') part += value[i++];
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '(') depth++;
    else if (character === ')') depth--;
    const isBlank = separator === ' ' && /\s/.test(character);
    if (depth <= 0 && quote === '' && (isBlank || character === separator)) {
      if (!isBlank || part !== '') parts.push(part.trim());
      part = '';
    } else part += value[i] ?? '';
  }
  if (part.trim() !== '' || separator !== ' ') parts.push(part.trim());
  return parts;
}

/** The name and the arguments of a function; undefined for other values. */
export function functionOf(value: string): { readonly name: string; readonly args: string } | undefined {
  const match = /^(-?[a-z][a-z0-9-]*)\((.*)\)$/is.exec(value.trim());
  return match ? { name: match[1].toLowerCase(), args: match[2] } : undefined;
}

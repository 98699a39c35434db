// The syntax of PDF's objects (ISO 32000-1, 7.2 to 7.3): numbers, names and strings.

/** Rounds to at most `decimals` digits behind the point. The text has no exponent. */
export function number(value: number, decimals = 2): string {
  const factor = 10 ** decimals;
  const rounded = Math.round(value * factor) / factor;
  if (!(Math.abs(rounded) < 1e15)) return '0';
  // -0 is 0
  const text = String(rounded + 0);
  return text.startsWith('0.') ? text.slice(1) : text.startsWith('-0.') ? `-${text.slice(2)}` : text;
}

export function numbers(values: readonly number[], decimals?: number): string {
  return values.map((value) => number(value, decimals)).join(' ');
}

/** A name of letters, digits and hyphens; other characters are left out. */
export function name(text: string): string {
  return `/${text.replace(/[^\w+-]/g, '')}`;
}

/** A text string: ASCII as it is, others as UTF-16. */
export function textString(text: string): string {
  if (/^[ -~]*$/.test(text)) return `(${text.replace(/[\\()]/g, '\\$&')})`;
  return `<feff${utf16Hex(text)}>`;
}

/** The UTF-16 code units in hexadecimal digits. */
export function utf16Hex(text: string): string {
  let hex = '';
  for (let i = 0; i < text.length; i++) hex += hex4(text.charCodeAt(i));
  return hex;
}

export function hex4(value: number): string {
  return value.toString(16).padStart(4, '0');
}

/** The bytes of a text whose characters are bytes. */
export function latin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

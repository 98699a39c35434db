// Byte arrays and texts of one byte per character.

/** Joins all parts in one array. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** The low byte of each character. */
export function latin1Bytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Engines limit the number of arguments. */
const MAX_ARGUMENTS = 8192;

/** Decodes each byte as one character. (The Encoding standard's decoder of this name reads windows-1252.) */
export function latin1Text(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += MAX_ARGUMENTS) {
    text += String.fromCharCode(...bytes.subarray(at, at + MAX_ARGUMENTS));
  }
  return text;
}

/** Whether `bytes` contain the ASCII text. */
export function includesText(bytes: Uint8Array, text: string): boolean {
  const [first, ...rest] = latin1Bytes(text);
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (rest.every((byte, i) => bytes[at + 1 + i] === byte)) return true;
  }
  return false;
}

// Names of the pictures of a batch: safe on every system, and unique among each other.
import type { FileFormat } from '../codecs/codec.js';

/** Control characters, path separators, and characters that Windows forbids in file names. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}/\\<>:"|?*]+/gu;
/** File systems take names of 255 bytes; this leaves room for a number and an extension. */
const MAX_NAME_BYTES = 200;

/** Makes `text` safe within a file name: no separators, no leading dots (`..`, hidden files), no surrounding blanks. */
export function safeName(text: string): string {
  return text.normalize('NFC').replace(UNSAFE, '-').trim().replace(/^\.+/, '-');
}

const EXTENSIONS: Readonly<Record<FileFormat, RegExp>> = {
  png: /\.png$/i,
  jpeg: /\.jpe?g$/i,
  webp: /\.webp$/i,
  avif: /\.avif$/i,
  svg: /\.svg$/i,
  pdf: /\.pdf$/i,
};

/** The name of a picture that the batch calls `name`; the number of the row, from 1, unless it has a name. */
export interface NamedPicture {
  readonly name: string | undefined;
  readonly format: FileFormat;
}

/**
 * A file name for each picture. A repeated name gets a number; upper and lower case count as the same, as on some systems.
 * The names depend on the rows alone, not on which of them succeed.
 */
export function fileNames(pictures: readonly NamedPicture[]): string[] {
  const taken = new Set<string>();
  return pictures.map(({ name = '', format }, i) => {
    const extension = format === 'jpeg' ? '.jpg' : `.${format}`;
    const baseName = shortened(safeName(name).replace(EXTENSIONS[format], '')).replace(/[. ]+$/, '');
    const base = baseName === '' ? String(i + 1) : baseName;
    for (let count = 1; ; count++) {
      const file = `${base}${count === 1 ? '' : `-${count}`}${extension}`;
      const key = file.toLowerCase();
      if (taken.has(key)) continue;
      taken.add(key);
      return file;
    }
  });
}

/** The first characters of `text`, within MAX_NAME_BYTES of UTF-8. */
function shortened(text: string): string {
  if (text.length * 3 <= MAX_NAME_BYTES) return text;
  let bytes = 0;
  let prefix = '';
  for (const character of text) {
    bytes += new TextEncoder().encode(character).length;
    if (bytes > MAX_NAME_BYTES) break;
    prefix += character;
  }
  return prefix;
}

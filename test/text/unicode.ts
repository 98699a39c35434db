// Reads Unicode's test files from Debian's `unicode-data` package, where it is installed.
import { existsSync, readFileSync } from 'node:fs';

const FOLDER = '/usr/share/unicode/';

/** The reason to skip a test that needs a Unicode file; false when the file exists. */
export function withoutUnicode(file: string): string | false {
  return existsSync(FOLDER + file) ? false : `needs ${FOLDER}${file} (Debian: unicode-data)`;
}

/** The file's version, from its first line: `15.0.0`. */
export function versionOf(file: string): string {
  return /-([\d.]+)\.txt/.exec(readFileSync(FOLDER + file, 'utf8').slice(0, 200))?.[1] ?? 'unknown';
}

/** The file's lines without comments and empty lines. */
export function unicodeLines(file: string): string[] {
  const lines = readFileSync(FOLDER + file, 'utf8').split('\n');
  return lines.map((line) => line.replace(/#.*/, '').trim()).filter((line) => line !== '');
}

/** A case of the break tests: `÷ 0061 × 0308 ÷` → the text, and the UTF-16 indices of ÷ strictly within it. */
export function breakCase(line: string): { text: string; breaks: number[] } {
  let text = '';
  const breaks: number[] = [];
  for (const token of line.split(/\s+/)) {
    if (token === '÷') breaks.push(text.length);
    else if (token !== '×') text += String.fromCodePoint(Number.parseInt(token, 16));
  }
  return { text, breaks: breaks.filter((index) => index > 0 && index < text.length) };
}

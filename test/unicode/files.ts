// Reads Unicode's test files: those of this folder, and Debian's package `unicode-data` where it is installed.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = '/usr/share/unicode/';

/** The reason to skip a test that needs a Unicode file; false when the file exists. */
export function withoutUnicode(file: string): string | false {
  return existsSync(FOLDER + file) ? false : `needs ${FOLDER}${file} (Debian: unicode-data)`;
}

/** The file's version, from its first line: `15.0.0`. */
export function versionOf(file: string): string {
  return /-([\d.]+)\.txt/.exec(readFileSync(FOLDER + file, 'utf8').slice(0, 200))?.[1] ?? 'unknown';
}

/** The lines of a file of this folder, without comments and empty lines. */
export function ownLines(file: string): string[] {
  return linesOf(fileURLToPath(new URL(file, import.meta.url)));
}

/** The lines of a file of the package `unicode-data` without comments and empty lines. */
export function unicodeLines(file: string): string[] {
  return linesOf(FOLDER + file);
}

function linesOf(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n');
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

/** Whether the engine's own Unicode data are of the tables' version, so that the two can be compared on all code points. */
export const ENGINE_AGREES = process.versions.unicode === '17.0';

/** The UTF-16 indices at which segments start, but the first. */
export function starts(segments: readonly string[]): number[] {
  let index = 0;
  return segments.slice(0, -1).map((segment) => {
    index += segment.length;
    return index;
  });
}

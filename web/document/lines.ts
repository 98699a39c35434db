// Finds the lines of values in a JSON text.
import type { Path } from './json.js';

const STRING = /"(?:[^"\\]|\\.)*"/y;
const SCALAR = /[^\s,\]}]+/y;

/**
 * Finds the line, from 1, of the value at `path` in a JSON text. If the text lacks the value, returns the line of the nearest
 * object or list around it. If a key occurs twice, the last one counts, as in JSON.parse.
 */
export function lineOf(text: string, path: Path): number {
  // also for texts that are nested too deep to search
  if (path.length === 0) return 1;
  const reader = new Reader(text);
  const position = reader.find(path);
  let line = 1;
  for (let i = text.indexOf('\n'); i >= 0 && i < position; i = text.indexOf('\n', i + 1)) line++;
  return line;
}

class Reader {
  private position = 0;

  constructor(private readonly text: string) {}

  /** Finds the start of the value at `path` within the value that begins here. Leaves the position behind the whole value. */
  find(path: Path): number {
    this.skipBlanks();
    const start = this.position;
    const [key, ...rest] = path;
    const open = this.text[start];
    let found = start;
    if (open === '{') {
      this.eachItem('}', () => {
        const own = JSON.parse(this.read(STRING)) as string;
        this.skipBlanks();
        this.position++;
        const value = this.find(own === String(key) && key !== undefined ? rest : []);
        if (key !== undefined && own === String(key)) found = value;
      });
    } else if (open === '[') {
      let index = 0;
      this.eachItem(']', () => {
        const isWanted = index++ === key;
        const value = this.find(isWanted ? rest : []);
        if (isWanted) found = value;
      });
    } else this.read(open === '"' ? STRING : SCALAR);
    return found;
  }

  private eachItem(close: string, read: () => void): void {
    this.position++;
    for (;;) {
      this.skipBlanks();
      const next = this.text[this.position];
      if (next === close || next === undefined) break;
      if (next === ',') this.position++;
      else read();
    }
    this.position++;
  }

  private read(pattern: RegExp): string {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0] ?? '';
    // invalid JSON ends the search
    this.position = found === '' ? this.text.length : this.position + found.length;
    return found === '' ? '""' : found;
  }

  private skipBlanks(): void {
    while (' \t\r\n'.includes(this.text[this.position] ?? '-')) this.position++;
  }
}

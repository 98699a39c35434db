// The lines at which the values of a JSON text stand.
import type { Path } from './json.js';

const STRING = /"(?:[^"\\]|\\.)*"/y;
const SCALAR = /[^\s,\]}]+/y;

/**
 * The line, from 1, of the value at `path` in a text that is JSON. Where the text has no such value, the line of the nearest
 * object or list around it. Of keys that occur twice, the last counts, as for JSON.parse.
 */
export function lineOf(text: string, path: Path): number {
  // also for texts that are nested too deep to be searched
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

  /** Where the value at `path`, which begins here, stands. Ends behind the whole value. */
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
    // a text that is no JSON ends the search
    this.position = found === '' ? this.text.length : this.position + found.length;
    return found === '' ? '""' : found;
  }

  private skipBlanks(): void {
    while (' \t\r\n'.includes(this.text[this.position] ?? '-')) this.position++;
  }
}

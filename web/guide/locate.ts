// Finds the place of a field in the text of a payload.

const BLANKS = /[\s\uFEFF]*/y;
/** Matches a string, a bracket, colon or comma, or a number or word. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/y;
/** Matches a key of a path: `layers`, `[2]`, `["a key"]`. */
const KEY = /\.?([A-Za-z_$][\w$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/gy;

/** Parses a path, as far as it is valid: `layers[2].url` → `['layers', '2', 'url']`. */
function keysOf(path: string): string[] {
  return Array.from(path.matchAll(KEY), ([, name, index, quoted]) => name ?? index ?? JSON.parse(quoted!));
}

/** Finds where the value at `path` begins in `text`, valid JSON; for a missing value, the object or array around it. */
export function positionOf(text: string, path: string): number {
  let at = 0;
  /** Moves to the next token, sets `at` to its start, and returns it. */
  const peek = (): string => {
    BLANKS.lastIndex = at;
    BLANKS.test(text);
    TOKEN.lastIndex = at = BLANKS.lastIndex;
    return TOKEN.exec(text)?.[0] ?? '';
  };
  const take = (): string => {
    const token = peek();
    at += token.length;
    return token;
  };
  const skipValue = (): void => {
    let depth = 0;
    do {
      const token = take();
      if (token === '') return;
      if (token === '{' || token === '[') depth++;
      else if (token === '}' || token === ']') depth--;
    } while (depth > 0);
  };
  /** Moves to a member of the current object or array; returns whether there is one. */
  const enter = (key: string): boolean => {
    const first = take();
    if (first !== '{' && first !== '[') return false;
    for (let index = 0; !/^[}\]]?$/.test(peek()); index++) {
      const own = first === '{' ? JSON.parse(take()) : String(index);
      if (first === '{') take();
      if (own === key) return true;
      skipValue();
      if (take() !== ',') return false;
    }
    return false;
  };

  peek();
  let found = at;
  for (const key of keysOf(path)) {
    if (!enter(key)) break;
    peek();
    found = at;
  }
  return found;
}

/** Returns the line of a position, from 1. */
export const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length;

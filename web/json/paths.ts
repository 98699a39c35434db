// The paths of details and warnings (`layers[2].url`) as lists of keys.

export type JsonPath = readonly (string | number)[];

const STEP = /\.?([A-Za-z_$][\w$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;

/** Parses a path, as far as it is valid: `layers[2].url` → `['layers', 2, 'url']`. */
export function parsePath(path: string): JsonPath {
  const keys: (string | number)[] = [];
  for (STEP.lastIndex = 0; STEP.lastIndex < path.length; ) {
    const found = STEP.exec(path);
    if (!found) break;
    const [, name, index, quoted] = found;
    keys.push(name ?? (index === undefined ? unquoted(quoted) : Number(index)));
  }
  return keys;
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}

// Which page a path is: patterns such as `/dashboard/templates/:id`.

/** The values of a pattern's `:names`; undefined if the path does not match. A slash at the end does not matter. */
export function match(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = segments(pattern);
  const given = segments(path);
  if (wanted.length !== given.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    if (segment.startsWith(':')) {
      const value = decode(given[index]);
      if (value === undefined) return undefined;
      values[segment.slice(1)] = value;
    } else if (segment !== given[index]) return undefined;
  }
  return values;
}

const segments = (path: string) => path.replace(/^\/|\/$/g, '').split('/');

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

// Matches paths with the patterns of pages, such as `/dashboard/templates/:id`.

/** Returns the values of a pattern's `:names`; undefined if the path doesn't match. A slash at the end doesn't matter. */
export function match(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = segments(pattern);
  const pathSegments = segments(path);
  if (wanted.length !== pathSegments.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    if (segment.startsWith(':')) {
      const value = decode(pathSegments[index]);
      if (value === undefined) return undefined;
      values[segment.slice(1)] = value;
    } else if (segment !== pathSegments[index]) return undefined;
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

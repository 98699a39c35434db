// Describes JSON values in messages.

/** Characters of a received value that messages quote. */
const MAX_QUOTED_LENGTH = 60;

/** A short description of `value` for a message: the value itself if it is short, else its beginning or its size. */
export function formatReceived(value: unknown): string {
  switch (typeof value) {
    case 'undefined':
      return 'nothing';
    case 'string':
      return quoted(value);
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${value.length}`;
      return formatObject(value);
    default:
      return `a ${typeof value}`;
  }
}

function formatObject(value: object): string {
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an empty object';
  const first = keys.slice(0, 3).map((key) => (key.length > 15 ? `${key.slice(0, 15)}…` : key));
  return `an object with ${first.join(', ')}${keys.length > 3 ? ' …' : ''}`;
}

/** The text in quotes; only its beginning if it is long. */
export function quoted(value: string): string {
  return JSON.stringify(value.length > MAX_QUOTED_LENGTH ? `${value.slice(0, MAX_QUOTED_LENGTH - 1)}…` : value);
}

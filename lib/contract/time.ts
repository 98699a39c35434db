// Parses dates and times as queries and options give them.
import { asciiUppercase } from '../unicode/ascii.js';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?$/i;

/** Milliseconds of an ISO 8601 date or time; NaN if it is none. Without an offset it is UTC. */
export function parseTime(text: string): number {
  const [, time, offset = 'Z'] = DATE_TIME.exec(text) ?? [];
  if (time !== undefined) return Date.parse(asciiUppercase(`${time}${offset.replace(/(\d{2})(\d{2})$/, '$1:$2')}`));
  return DATE.test(text) ? Date.parse(text) : Number.NaN;
}

// A row's values → the template's variables.

import { closestMatch } from '../../contract/closest-match.js';
import { formatReceived } from '../../contract/issues.js';
import type { Template } from '../../contract/template.js';
import { variableNames } from '../../templates/variables.js';

type Values = Readonly<Record<string, unknown>>;

export interface RowFormat {
  /** The columns of a CSV; undefined for JSON lines. */
  readonly columns: readonly string[] | undefined;
  /** Names that the pictures' file names are made from. */
  readonly fileNameColumns: ReadonlySet<string>;
}

/**
 * Gives the variables of one row. What no hotspot knows is left out where it is said once for all rows (`unusedColumns`),
 * or serves the file's name. An empty cell of a CSV is the empty text; where a picture or a QR code belongs, of which
 * there is no empty one, it leaves the default.
 */
export function variablesFrom(
  { hotspots }: Template,
  { columns, fileNameColumns }: RowFormat,
): (values: Values) => Values {
  const known = variableNames(hotspots);
  const texts = variableNames(hotspots.filter(({ type }) => type === 'text'));
  const taken = columns
    ? ([name, value]: [string, unknown]) => known.has(name) && (value !== '' || texts.has(name))
    : ([name]: [string, unknown]) => known.has(name) || !fileNameColumns.has(name);
  return (values) => Object.fromEntries(Object.entries(values).filter(taken));
}

/**
 * Why the rows can't be meant for the template, if so: none of the columns is a variable, so every picture would be the
 * same.
 */
export function mismatch({ hotspots }: Template, { columns }: RowFormat): string | undefined {
  const known = variableNames(hotspots);
  if (!columns || columns.some((name) => known.has(name))) return undefined;
  const variables = known.size === 0 ? 'there are none' : `expected some of ${listed([...known])}`;
  return `none of the columns is a variable of the template: received ${listed(columns)}, ${variables}`;
}

/** Names that a message lists. */
const MAX_NAMED = 20;

function listed(names: readonly string[]): string {
  const others = names.length - MAX_NAMED;
  const named = names.slice(0, MAX_NAMED).map((name) => formatReceived(name));
  return `${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

/** A line for each column that serves no purpose, with the name that was probably meant. */
export function unusedColumns({ hotspots }: Template, { columns = [], fileNameColumns }: RowFormat): string[] {
  const known = variableNames(hotspots);
  return columns
    .filter((name) => !known.has(name) && !fileNameColumns.has(name))
    .map((name) => {
      const meant = closestMatch(name, known);
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
      return `column ${formatReceived(name)} is no variable of the template and is ignored${hint}`;
    });
}

// Maps the values of a batch row to template variables, and finds columns that match no variable.
import { closestMatch } from '../../contract/closest-match.js';
import { formatReceived } from '../../contract/issues.js';
import type { Template } from '../../contract/template.js';
import { variableNames } from '../../templates/variables.js';

type Values = Readonly<Record<string, unknown>>;

export interface RowFormat {
  /** The columns of a CSV; undefined for JSON rows. */
  readonly columns: readonly string[] | undefined;
  /** Names that the output pattern uses. */
  readonly fileNameColumns: ReadonlySet<string>;
}

/**
 * Returns a function that picks the variables of one row.
 *
 * In a CSV, columns that no hotspot has are left out: `unusedColumns` warns about them once. In JSON rows only the names
 * of the output pattern are, so that the render warns about any other. An empty CSV cell is the empty string for a text
 * hotspot; any other hotspot has no empty value and keeps its default.
 */
export function variablesFrom(
  { hotspots }: Template,
  { columns, fileNameColumns }: RowFormat,
): (values: Values) => Values {
  const known = variableNames(hotspots);
  const texts = variableNames(hotspots.filter(({ type }) => type === 'text'));
  const isVariable = columns
    ? ([name, value]: [string, unknown]) => known.has(name) && (value !== '' || texts.has(name))
    : ([name]: [string, unknown]) => known.has(name) || !fileNameColumns.has(name);
  return (values) => Object.fromEntries(Object.entries(values).filter(isVariable));
}

/** An error message if no column is a variable of the template: every image would be the same. */
export function mismatch({ hotspots }: Template, { columns }: RowFormat): string | undefined {
  const known = variableNames(hotspots);
  if (!columns || columns.some((name) => known.has(name))) return undefined;
  const expected = known.size === 0 ? 'the template has none' : `expected some of ${formatNames([...known])}`;
  return `none of the columns is a variable of the template: received ${formatNames(columns)}, ${expected}`;
}

/** Names that a message lists at most. */
const MAX_LISTED_NAMES = 20;

function formatNames(names: readonly string[]): string {
  const more = names.length - MAX_LISTED_NAMES;
  const listed = names.slice(0, MAX_LISTED_NAMES).map((name) => formatReceived(name));
  return `${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A warning for each column that is neither a variable nor part of the output pattern, with the closest variable. */
export function unusedColumns({ hotspots }: Template, { columns = [], fileNameColumns }: RowFormat): string[] {
  const known = variableNames(hotspots);
  return columns
    .filter((name) => !known.has(name) && !fileNameColumns.has(name))
    .map((name) => {
      const suggestion = closestMatch(name, known);
      const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
      return `column ${formatReceived(name)} is not a variable of the template and is ignored${hint}`;
    });
}

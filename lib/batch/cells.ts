// Maps the values of a batch row to template variables, and finds columns that match no variable.
import { formatReceived } from '../contract/json/describe.js';
import { closestMatch, didYouMean } from '../contract/messages/closest-match.js';
import { mismatchOf } from '../contract/messages/issues.js';
import type { Template } from '../contract/template/parse.js';
import type { Warning } from '../errors.js';
import { variableNames } from '../templates/variables.js';
import { RowError } from './rows.js';

type Values = Readonly<Record<string, unknown>>;

export interface RowFormat {
  /** The columns of a CSV; undefined for JSON rows. */
  readonly columns: readonly string[] | undefined;
  /** Names that the output pattern uses. */
  readonly fileNameColumns: ReadonlySet<string>;
  /** The column that names the size of a row; undefined if the template has no sizes. */
  readonly sizeColumn: string | undefined;
}

/** `size`, if the template has sizes and no variable of that name. */
export function sizeColumnOf(template: Template, sizes: readonly string[]): string | undefined {
  return sizes.length > 0 && !variableNames(template).has('size') ? 'size' : undefined;
}

/** The size that the row names; undefined if it names none. Throws RowError for a value that is no text. */
export function sizeOf(values: Values, { sizeColumn }: RowFormat): string | undefined {
  const value = sizeColumn === undefined ? undefined : values[sizeColumn];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new RowError(`size: received ${formatReceived(value)}, expected the name of a size`);
}

/**
 * Returns a function that picks the variables of one row.
 *
 * In a CSV, columns that no hotspot has are left out: `unusedColumns` warns about them once. In JSON rows only the names
 * of the output pattern are, so that the render warns about any other. An empty CSV cell is the empty string for a text
 * hotspot; any other hotspot has no empty value and keeps its default.
 */
export function variablesFrom(
  template: Template,
  { columns, fileNameColumns, sizeColumn }: RowFormat,
): (values: Values) => Values {
  const known = variableNames(template);
  const { hotspots, plainVariables } = template;
  const texts = variableNames({ hotspots: hotspots.filter(({ type }) => type === 'text'), plainVariables });
  const isVariable = columns
    ? ([name, value]: [string, unknown]) => known.has(name) && (value !== '' || texts.has(name))
    : ([name]: [string, unknown]) => known.has(name) || !(fileNameColumns.has(name) || name === sizeColumn);
  return (values) => Object.fromEntries(Object.entries(values).filter(isVariable));
}

/** An error message if no column is a variable of the template: every image would be the same. */
export function mismatch(template: Template, { columns, sizeColumn }: RowFormat): string | undefined {
  const known = variableNames(template);
  if (!columns || columns.some((name) => known.has(name) || name === sizeColumn)) return undefined;
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
export function unusedColumns(template: Template, format: RowFormat): Warning[] {
  const { columns = [], fileNameColumns, sizeColumn } = format;
  const known = variableNames(template);
  return columns
    .filter((name) => !known.has(name) && !fileNameColumns.has(name) && name !== sizeColumn)
    .map((name) => {
      const suggestion = closestMatch(name, known);
      const message = `column ${formatReceived(name)} is not a variable of the template and is ignored${didYouMean(suggestion)}`;
      return { code: 'unused_variable', path: '', column: name, message, ...mismatchOf(undefined, suggestion) };
    });
}

// The rows of a table: texts, layers, backgrounds and lines in the cells of a grid.
import { MAX_TRACKS } from '../../contract/css/grid-limits.js';
import type { CellAlignment, TableColumn, TableFields } from '../../contract/layers/expanded/table.js';
import { closestMatch, didYouMean } from '../../contract/messages/closest-match.js';
import { joinPath } from '../../contract/messages/issues.js';
import { isObject } from '../../contract/schema/fields.js';
import type { LocaleFormatter } from '../../locale/formatter.js';
import type { Names } from '../names.js';
import { LATER_FIELD } from '../plan.js';
import { FAILED, type OriginalLayer, type Resolver, type Surroundings } from '../resolver.js';
import type { Tokens } from '../tokens.js';
import { asValue, type Value } from '../value.js';
import { bandOf, type Json, type TableLook, withoutBand } from './table-look.js';

export interface TableExpansionOptions {
  readonly tokens: Tokens;
  /** The payload's locale, and its formatter. */
  readonly locale: string;
  readonly formatter: () => LocaleFormatter;
  /** The layers that a layer in a cell of the table at `path` becomes. */
  readonly expandCell: (original: OriginalLayer, around: Surroundings, path: string) => OriginalLayer[];
}

/** Pixels between the layers that `each` makes of one in a cell. */
const CELL_GAP = 8;
/** Entries whose fields are compared with that of a column. */
const MAX_COMPARED_ROWS = 20;
const MARKER = /[*_~=\\]/;
/** Languages that are written from right to left; those of other scripts say so by its tag. */
const RTL_LOCALE =
  /^(?:ar|arc|ckb|dv|fa|he|iw|ks|ku-arab|nqo|pa-arab|ps|sd|syr|ug|ur|yi)(?:-|$)|-(?:arab|hebr)(?:-|$)/i;

/** A table, all of whose fields are valid. */
interface Table {
  readonly fields: TableFields;
  /** As written, for fields that go on to other layers. */
  readonly written: Json;
  readonly look: TableLook;
  readonly path: string;
  readonly around: Surroundings;
  readonly resolver: Resolver;
  readonly countLayer: (path: string) => void;
  readonly options: TableExpansionOptions;
}

/** A column with what is known of all its cells. */
interface Column extends Omit<TableColumn, 'align' | 'format' | 'style'> {
  readonly index: number;
  readonly path: string;
  readonly align: CellAlignment;
  readonly isAlignSet: boolean;
  readonly isNumeric: boolean;
  /** The values of the field in the rows that are shown; null without them. */
  readonly values: readonly Value[];
  readonly texts: readonly CellText[];
  readonly style: Json;
  /** Fills the column behind its cells. */
  readonly band: unknown;
}

interface CellText {
  readonly text: string;
  /** Whether it is that of a number, which is at the end edge. */
  readonly isNumber: boolean;
}

/** The place of a cell. Rows and columns count from 1, columns in the order of reading. */
interface CellPlace {
  readonly row: number;
  readonly column: number;
  readonly span?: number;
}

interface TextCell extends CellPlace {
  readonly text: string;
  readonly align: CellAlignment;
  readonly style: Json;
  readonly isNumber?: boolean;
}

/** Lays the cells of one table out in rows. */
export class TableRows {
  readonly #cells: OriginalLayer[] = [];
  readonly #shapes: Json[] = [];
  readonly #lines: Json[] = [];
  readonly #isRtl: boolean;
  #columns: readonly Column[] = [];
  /** The first row of the grid after those that are there. */
  #next = 1;
  /** The columns in which cells end, for each row of the footer. */
  readonly #footerEnds: Set<number>[] = [];

  constructor(private readonly table: Table) {
    const { direction } = table.fields;
    this.#isRtl = direction === 'auto' ? RTL_LOCALE.test(table.options.locale) : direction === 'rtl';
  }

  tracks(): string {
    const sizes = this.#columns.map(({ width }) => {
      if (typeof width === 'number') return `${width}px`;
      return width === 'fill' ? '1fr' : width;
    });
    return (this.#isRtl ? sizes.reverse() : sizes).join(' ');
  }

  /** Backgrounds, then cells, then lines. */
  build(all: readonly Json[]): OriginalLayer[] {
    const { fields, path, resolver } = this.table;
    const { maxRows = all.length, more } = fields;
    const shown = all.slice(0, maxRows);
    const rest = all.length - shown.length;
    const hasHeader = fields.columns.some(({ header }) => header !== undefined);
    const footer = this.#footerRows();
    const others = (hasHeader ? 1 : 0) + footer.length + (rest > 0 && more !== undefined ? 1 : 0);
    if (shown.length + others > MAX_TRACKS) {
      const message = `has ${shown.length + others} rows, expected at most ${MAX_TRACKS}, those of header and footer included: maxRows`;
      resolver.fault(`${path}.rows`, message, 'limit_exceeded');
      return [];
    }
    // before anything is made of them
    for (let i = 0; i < shown.length * fields.columns.length; i++) this.table.countLayer(path);
    this.#columns = fields.columns.map((column, i) => this.#column(column, i, shown));
    if (hasHeader) this.#header();
    const first = this.#next;
    for (const [i, row] of shown.entries()) this.#row(row, i);
    if (rest > 0) this.#rest(rest, all.length);
    const last = this.#next;
    for (const [i, cells] of footer.entries()) this.#footer(cells, i);
    this.#backgrounds(hasHeader, first, shown.length, last);
    this.#rules(hasHeader, last);
    const shapesOf = (shapes: readonly Json[], start: number) =>
      shapes.map((layer, i): OriginalLayer => {
        this.table.countLayer(path);
        return { layer, origin: { path: `${path}.layers[${start + i}]` } };
      });
    const lines = this.#shapes.length + this.#cells.length;
    return [...shapesOf(this.#shapes, 0), ...this.#cells, ...shapesOf(this.#lines, lines)];
  }

  #column(column: TableColumn, index: number, rows: readonly Json[]): Column {
    const { path, look, written, resolver } = this.table;
    const at = `${path}.columns[${index}]`;
    const { field, format, cell, align } = column;
    if (format !== undefined && cell !== undefined) {
      resolver.fault(`${at}.format`, 'has no effect beside cell: one of them is expected', 'conflicting_values');
    }
    const values = rows.map((row) => (field === undefined ? null : fieldValue(row, field)));
    if (field !== undefined && values.every((value) => value === null)) this.#warnOfField(field, `${at}.field`, rows);
    const texts = cell === undefined ? this.#textsOf(column, at, rows, values) : [];
    const filled = texts.filter((each) => each.text !== '');
    const numbers = filled.filter(({ isNumber }) => isNumber).length;
    const isNumeric = numbers > 0 && numbers * 2 >= filled.length;
    const style = look.columnStyle((written.columns as readonly Json[])[index].style, `${at}.style`);
    return {
      ...column,
      index,
      path: at,
      align: align ?? (isNumeric ? 'end' : 'start'),
      isAlignSet: align !== undefined,
      isNumeric,
      values,
      texts,
      style: withoutBand(style),
      band: bandOf(style),
    };
  }

  /** The texts of a column, in the order of the rows; fewer if there is a fault. */
  #textsOf(
    { field, format }: TableColumn,
    path: string,
    rows: readonly Json[],
    values: readonly Value[],
  ): readonly CellText[] {
    const { around, resolver, path: tablePath } = this.table;
    const at = `${path}.format`;
    if (format !== undefined && !resolver.hasExpression(format, at)) return [];
    const holder = format === undefined ? undefined : { [LATER_FIELD]: format };
    const texts: CellText[] = [];
    for (const [i, value] of values.entries()) {
      const names = this.#insideRow(rows[i], value, i);
      const result = holder ? resolver.laterValue(holder, at, { ...around, names }) : value;
      const valuePath = holder ? at : joinPath(`${tablePath}.rows[${i}]`, field ?? '');
      const text = result === FAILED ? FAILED : this.#textOf(result, holder !== undefined, valuePath);
      // further rows would have the same fault
      if (text === FAILED) return texts;
      texts.push({ text, isNumber: typeof value === 'number' || typeof result === 'number' });
    }
    return texts;
  }

  /** Warns of a field that no row has, and that is probably misspelt. */
  #warnOfField(field: string, path: string, rows: readonly Json[]): void {
    const known = new Set(rows.slice(0, MAX_COMPARED_ROWS).flatMap((row) => Object.keys(row)));
    const meant = known.has(field) ? undefined : closestMatch(field, known);
    if (meant === undefined) return;
    const message = `no row has the field ${field}${didYouMean(meant)}`;
    this.table.resolver.warn({ code: 'unknown_field', path, message });
  }

  #header(): void {
    const row = this.#next++;
    for (const { header, index, align, path } of this.#columns) {
      if (header === undefined) continue;
      this.table.countLayer(this.table.path);
      const style = { ...this.table.look.header, repeatOnPages: true };
      this.#text({ row, column: index + 1, text: header, align, style }, `${path}.header`);
    }
  }

  #row(raw: Json, i: number): void {
    const row = this.#next++;
    const { look, path, around } = this.table;
    const at = `${path}.rows[${i}]`;
    for (const { index, field, cell, style, align, isAlignSet, isNumeric, values, texts } of this.#columns) {
      const place = { row, column: index + 1 };
      if (cell !== undefined) {
        const layer = { layer: cell, origin: { path: `${at}.columns[${index}].cell` } };
        const names = this.#insideRow(raw, values[i], i);
        this.#layer(place, layer, align, { ...around, names, suffix: `${around.suffix}[${i}]` });
        continue;
      }
      const { text, isNumber } = texts[i] ?? { text: '', isNumber: false };
      const alignment = isNumber && !isAlignSet ? 'end' : align;
      const textStyle = { ...look.body, ...style };
      const textPath = field === undefined ? `${at}.columns[${index}]` : joinPath(at, field);
      this.#text({ ...place, text, align: alignment, style: textStyle, isNumber: isNumber || isNumeric }, textPath);
    }
  }

  #insideRow(raw: Json, value: Value, i: number): Names {
    const { names } = this.table.around;
    const row: Names = { name: 'row', value: asValue(raw), outer: names };
    return { name: 'value', value, outer: { name: 'i', value: i, outer: row } };
  }

  /** The text of a value. What a format gives is a text already: its numbers are not written as those of the locale. */
  #textOf(value: Value, isFormat: boolean, path: string): string | typeof FAILED {
    if (typeof value === 'number' && !isFormat) return this.table.options.formatter().number(value);
    return this.table.resolver.textAt(path, value);
  }

  /** The row with `more`, or a warning that rows are left out. */
  #rest(rest: number, count: number): void {
    const { fields, path, around, resolver, look, countLayer } = this.table;
    const { more, maxRows } = fields;
    if (more === undefined) {
      const message = `the list has ${count} entries, and maxRows is ${maxRows}: the others are left out`;
      resolver.warn({ code: 'list_cut', path: `${path}.rows`, message });
      return;
    }
    countLayer(path);
    const names: Names = { name: 'rest', value: rest, outer: around.names };
    const text = resolver.laterText({ [LATER_FIELD]: more }, `${path}.more`, { ...around, names });
    if (text === FAILED) return;
    const place = { row: this.#next++, column: 1, span: this.#columns.length };
    this.#text({ ...place, text, align: 'start', style: look.more }, `${path}.more`);
  }

  /** The cells of the footer in rows. */
  #footerRows(): readonly (readonly unknown[])[] {
    const footer = (this.table.written.footer ?? []) as readonly unknown[];
    if (footer.length === 0) return [];
    return footer.every(Array.isArray) ? (footer as readonly (readonly unknown[])[]) : [footer];
  }

  #footer(cells: readonly unknown[], index: number): void {
    const row = this.#next++;
    const { written, look, path, around, resolver, countLayer } = this.table;
    const isOneRow = !(written.footer as readonly unknown[]).every(Array.isArray);
    const ends = new Set<number>();
    this.#footerEnds.push(ends);
    let column = 1;
    for (const [i, cell] of cells.entries()) {
      const at = `${path}.footer${isOneRow ? '' : `[${index}]`}[${i}]`;
      const { text, cell: layer, span = 1, align, style } = isObject(cell) ? cell : ({ text: cell } as Json);
      const place = { row, column, span: Number(span) };
      const own = this.#columns[column - 1];
      column += place.span;
      ends.add(column - 1);
      if (column - 1 > this.#columns.length) {
        const message = `ends in column ${column - 1}, expected at most ${this.#columns.length}`;
        resolver.fault(at, message);
        return;
      }
      countLayer(path);
      const isNumber = typeof text === 'number';
      const alignment = (align ?? (isNumber ? 'end' : place.span === 1 ? own.align : 'start')) as CellAlignment;
      if (isObject(layer)) {
        this.#layer(place, { layer, origin: { path: `${at}.cell` } }, alignment, around);
        continue;
      }
      const words = this.#textOf(asValue(text ?? null), false, at);
      if (words === FAILED || words === '') continue;
      const textStyle = { ...look.footer, ...look.columnStyle(style, `${at}.style`) };
      const isTabular = isNumber || (place.span === 1 && own.isNumeric);
      this.#text({ ...place, text: words, align: alignment, style: textStyle, isNumber: isTabular }, at);
    }
  }

  /** Adds a text, unless there is none. */
  #text({ text, align, style, isNumber = false, ...place }: TextCell, path: string): void {
    if (text === '' && style.backgroundColor === undefined) return;
    const isPlain = [style.fontFamily, style.customFontUrl, style.fontFeatures].every((each) => each === undefined);
    const layer: Json = {
      type: 'text',
      text,
      ...this.#placeOf(place),
      padding: this.table.look.cellPadding,
      ...style,
      textAlign: this.#edgeOf(align),
      ...(isNumber && isPlain && { fontFeatures: { tnum: 1 } }),
      ...(MARKER.test(text) && { markup: true }),
    };
    this.#cells.push({ layer, origin: { path } });
  }

  /** Adds a layer with the padding of a cell around it. */
  #layer(place: CellPlace, original: OriginalLayer, align: CellAlignment, around: Surroundings): void {
    const { look, options, path, countLayer } = this.table;
    countLayer(path);
    const layers = options.expandCell(original, around, path);
    if (layers.length === 0) return;
    const edge = this.#edgeOf(align);
    const across = edge === 'left' ? 'start' : edge === 'right' ? 'end' : edge;
    // across a column the size of the cell is known before the layout, which charts need
    const layout =
      layers.length === 1
        ? { layout: 'column', alignItems: across, justifyContent: 'center' }
        : { layout: 'row', alignItems: 'center', justifyContent: across, gap: CELL_GAP };
    const layer: Json = {
      type: 'group',
      ...layout,
      ...this.#placeOf(place),
      padding: look.cellPadding,
      layers: layers.map((each) => each.layer),
    };
    this.#cells.push({ layer, origin: { path: original.origin.path, layers: layers.map((each) => each.origin) } });
  }

  #edgeOf(align: CellAlignment): 'left' | 'center' | 'right' {
    if (align === 'center') return 'center';
    return (align === 'start') === this.#isRtl ? 'right' : 'left';
  }

  #placeOf({ row, column, span = 1 }: CellPlace): Json {
    const first = this.#isRtl ? this.#columns.length + 2 - column - span : column;
    const gridColumn = span === 1 ? first : `${first} / span ${span}`;
    return { gridRow: row, gridColumn, width: 'fill', height: 'fill' };
  }

  #backgrounds(hasHeader: boolean, first: number, count: number, last: number): void {
    const { look, fields, written } = this.table;
    const add = (fillColor: unknown, gridRow: unknown, gridColumn: unknown = '1 / -1') => {
      if (fillColor === undefined) return;
      this.#shapes.push({
        type: 'shape',
        shapeType: 'rectangle',
        gridRow,
        gridColumn,
        width: 'fill',
        height: 'fill',
        fillColor,
      });
    };
    const rowsFrom = (start: number, end: number) => (end - start === 1 ? start : `${start} / ${end}`);
    if (last > first) add(look.bands.body, rowsFrom(first, last));
    for (const { index, band } of this.#columns) {
      const { gridColumn } = this.#placeOf({ row: 1, column: index + 1 });
      if (count > 0) add(band, rowsFrom(first, first + count), gridColumn);
    }
    if (hasHeader) add(look.bands.header, 1);
    if (fields.stripe) for (let i = 1; i < count; i += 2) add(written.stripe, first + i);
  }

  /** Lines at the lower and right edges of cells, so that they take no room. */
  #rules(hasHeader: boolean, last: number): void {
    const { horizontal, vertical, header } = this.table.look.rules;
    const between = header ?? horizontal;
    for (let row = 1; row < this.#next - 1; row++) {
      const rule = (row === 1 && hasHeader) || row === last - 1 ? between : horizontal;
      const repeats = row === 1 && hasHeader ? { repeatOnPages: true } : {};
      const length = { gridRow: row, gridColumn: '1 / -1', width: 'fill', alignSelf: 'end', ...repeats };
      if (rule) this.#lines.push({ ...lineOf(rule), ...length, height: rule.width ?? 1 });
    }
    if (!vertical) return;
    const width = vertical.width ?? 1;
    const add = (column: number, gridRow: unknown) => {
      const place = { gridRow, gridColumn: this.#isRtl ? this.#columns.length - column : column };
      this.#lines.push({ ...lineOf(vertical), ...place, width, height: 'fill', justifySelf: 'end' });
    };
    const hasMore = this.#moreRow(last);
    const end = hasMore ? last - 1 : last;
    for (let column = 1; column < this.#columns.length; column++) {
      if (end > 1) add(column, end === 2 ? 1 : `1 / ${end}`);
      for (const [i, ends] of this.#footerEnds.entries()) if (ends.has(column)) add(column, last + i);
    }
  }

  /** Whether the last row of the body is that of `more`. */
  #moreRow(last: number): boolean {
    const { path } = this.table;
    return this.#cells.some(
      ({ layer, origin }) => origin.path === `${path}.more` && (layer as Json).gridRow === last - 1,
    );
  }
}

/** The shape of a line, which fills its box. */
function lineOf({ color = '#000000', dash, dashOffset, cap, width = 1 }: Json): Json {
  if (dash === undefined) return { type: 'shape', shapeType: 'rectangle', fillColor: color };
  const dashes = { dash, ...(dashOffset !== undefined && { dashOffset }), ...(cap !== undefined && { cap }) };
  return { type: 'shape', shapeType: 'line', border: { color, width, ...dashes } };
}

/** The value of a field of a row; null without it. */
function fieldValue(row: Json, field: string): Value {
  return Object.hasOwn(row, field) ? asValue(row[field]) : null;
}

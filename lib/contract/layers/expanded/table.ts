// Table layers. lib/data makes grids of texts and shapes of them, so that nothing after resolve knows of tables.
import * as z from 'zod';
import { fill } from '../../css/fill.js';
import { MAX_TRACKS } from '../../css/grid-limits.js';
import { lazily } from '../../json/lazily.js';
import { choice, freeObject, number, record, text } from '../../schema/fields.js';
import { EXPECTED_NUMBER, EXPECTED_PERCENTAGE, extent, parsePercentage } from '../layout/flex.js';
import { border, MAX_COORDINATE, shared, sides } from '../shared.js';
import { MAX_TEXT, textLayer } from '../text.js';

const MAX_COLUMNS = 100;
const MAX_FOOTER_ROWS = 20;
const MAX_NAME = 1000;
const MAX_FORMAT = 10_000;

/** The fields of texts that cells take from `header`, `body` and the `style` of a column. */
export const CELL_TEXT_FIELDS = [
  'fontFamily',
  'customFontUrl',
  'fontSize',
  'fontWeight',
  'fontStyle',
  'fontFeatures',
  'fontVariations',
  'color',
  'stroke',
  'backgroundColor',
  'lineHeight',
  'letterSpacing',
  'textTransform',
  'textDecoration',
  'markupStyles',
  'verticalAlign',
  'direction',
  'language',
  'wrap',
  'textWrap',
  'wordBreak',
  'hyphens',
  'maxLines',
  'textOverflow',
] as const satisfies readonly (keyof typeof textLayer.shape)[];

/** An object with fields of texts. Text that is alone, the name of a token, is read with the tokens. */
const textStyle = record(() => ({
  style: text(MAX_NAME).optional().describe('the name of a token that is a text style; the other fields win'),
  ...(Object.fromEntries(CELL_TEXT_FIELDS.map((field) => [field, textLayer.shape[field]])) as Pick<
    typeof textLayer.shape,
    (typeof CELL_TEXT_FIELDS)[number]
  >),
}));
const columnStyle = z.union([textStyle, text(MAX_NAME)], {
  error: 'an object with fields of a text, or the name of a token that is a text style',
});

const EXPECTED_WIDTH = `${EXPECTED_NUMBER}, "auto", "fill" or a percentage such as "25%"`;
const columnWidth = z.union([number({ min: 0, max: MAX_COORDINATE }), z.string()], { error: EXPECTED_WIDTH }).refine(
  (width) => {
    if (typeof width === 'number' || width === 'auto' || width === 'fill') return true;
    const part = parsePercentage(width);
    return part !== undefined && part.pixels === undefined && part.percent >= 0;
  },
  { error: EXPECTED_WIDTH },
);

const ALIGNMENTS = ['start', 'center', 'end'] as const;
const alignment = () => choice(ALIGNMENTS).optional();
const nestedLayer = () => freeObject().optional();

const column = record(() => ({
  header: text(MAX_TEXT).optional().describe('the text above the column; without one in any column there is no header'),
  field: text(MAX_NAME).optional().describe('the field of the rows with the values: texts, numbers, true or false'),
  format: text(MAX_FORMAT)
    .optional()
    .describe('the texts of the cells: expressions that see value, row and i, such as {{= currency(value, "EUR") }}'),
  cell: nestedLayer().describe('a layer in place of a text in each row; its expressions see value, row and i'),
  width: columnWidth
    .default('auto')
    .describe('of the whole cell: pixels, a percentage of the table, auto for that of the content, or fill'),
  align: alignment().describe('of the header, too; end for numbers, else start'),
  style: columnStyle.optional().describe('of the cells of rows, in place of fields of body; or the name of a token'),
}));

const footerCell = z.union(
  [
    text(MAX_TEXT),
    z.number(),
    z.null(),
    record(() => ({
      text: z.union([text(MAX_TEXT), z.number()], { error: 'a string or a number' }).optional(),
      cell: nestedLayer().describe('a layer in place of a text'),
      span: number({ min: 1, max: MAX_COLUMNS, whole: true }).default(1).describe('columns'),
      align: alignment().describe('that of the column'),
      style: columnStyle.optional().describe('in place of fields of the footer'),
    })),
  ],
  { error: 'a text, a number, null, or an object with text or cell' },
);
const EXPECTED_FOOTER = `an array of up to ${MAX_COLUMNS} cells, or of up to ${MAX_FOOTER_ROWS} such arrays`;
const cells = z.array(footerCell, { error: EXPECTED_FOOTER }).max(MAX_COLUMNS, { error: EXPECTED_FOOTER });
const footerRows = z.array(cells, { error: EXPECTED_FOOTER }).max(MAX_FOOTER_ROWS, { error: EXPECTED_FOOTER });

const EXPECTED_COLUMNS = `an array of 1 to ${MAX_COLUMNS} columns`;

/** The fields of tables alone. */
export const tableFields = lazily(() => ({
  columns: z
    .array(column, { error: EXPECTED_COLUMNS })
    .min(1, { error: EXPECTED_COLUMNS })
    .max(MAX_COLUMNS, { error: EXPECTED_COLUMNS }),
  rows: z
    .union([z.array(z.unknown()), text()], { error: 'a list of objects, or an expression' })
    .describe('a list of objects, or an expression that gives one such as {{= items }}'),
  header: textStyle.optional().describe('fields of the texts above the columns; 600 and a weaker colour than body'),
  body: textStyle.optional().describe('fields of the texts of rows'),
  stripe: fill.optional().describe('fills the 2nd, 4th … row of the body'),
  rules: record(() => ({
    horizontal: border.optional().describe('between rows'),
    vertical: border.optional().describe('between columns'),
    outer: border.optional().describe('around the table'),
    header: border.optional().describe('beneath the header, in place of horizontal'),
  }))
    .optional()
    .describe('lines, which take no room; without them, stripe and colours of texts: thin ones between rows'),
  cellPadding: sides()
    .prefault([8, 12])
    .describe('pixels inside the cells: one, an array of 1 to 4, or text such as "8px 16px"'),
  footer: z
    .union([footerRows, cells], { error: EXPECTED_FOOTER })
    .optional()
    .describe('cells beneath the rows, one for each column unless they span more; or several rows of them'),
  maxRows: number({ min: 1, max: MAX_TRACKS, whole: true }).optional().describe('rows that are shown'),
  more: text(MAX_TEXT)
    .optional()
    .describe('a text in a row beneath those of maxRows, which sees rest: "and {{= rest }} more"'),
  direction: choice(['auto', 'ltr', 'rtl'])
    .default('auto')
    .describe('where the first column is and which edge is the start; auto: as locale is read'),
}));

/** What resolve reads of a table; its other fields are those of the group that it becomes. */
export const ownTableFields = record(tableFields);

const EXPECTED_HEIGHT = `${EXPECTED_NUMBER}, "auto", "fill" or ${EXPECTED_PERCENTAGE}`;

export const tableLayer = record(() => ({
  type: z.literal('table'),
  ...shared(),
  height: extent().prefault('auto').describe(`${EXPECTED_HEIGHT}; auto, which the rows decide`),
  ...tableFields(),
}));

export type TableFields = z.output<typeof ownTableFields>;
export type TableColumn = TableFields['columns'][number];
export type CellAlignment = (typeof ALIGNMENTS)[number];

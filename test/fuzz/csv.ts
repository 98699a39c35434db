// A file of rows as `platen batch` reads it → the request of its first row that can be used.
import { variablesFrom } from '../../lib/batch/cells.js';
import { readRows } from '../../lib/batch/rows.js';
import { parseTemplate } from '../../lib/contract/template/parse.js';
import { RenderError } from '../../lib/errors.js';
import type { Request } from './targets.js';

const TEXT = { type: 'text', x: 0, width: 200, height: 40, text: '', fontSize: 14, autoFit: true };

const TEMPLATE = {
  name: 'RowSource',
  width: 200,
  height: 160,
  hotspots: [
    { key: 'title', label: 'Title', ...TEXT, y: 0 },
    { key: 'date', label: 'Date', ...TEXT, y: 40 },
    { key: 'place', label: 'Place', ...TEXT, y: 80, maxLines: 1 },
    { key: 'link', label: 'Link', type: 'qrcode', x: 0, y: 120, width: 40, height: 40 },
    { key: 'photo', label: 'Photo', type: 'image', x: 40, y: 120, width: 40, height: 40, fallbackColor: '#888888' },
  ],
};

/** RowSource looked at before the file is taken for useless. */
const MAX_ROWS = 1000;

export async function csvRequest(input: Uint8Array): Promise<Request> {
  const template = parseTemplate(TEMPLATE, { maxLayers: 10 });
  const name = input[0] === 0x7b ? 'rows.jsonl' : 'rows.csv';
  const { columns, rows } = await readRows(name, inPieces(input));
  const variablesOf = variablesFrom(template, { columns, fileNameColumns: new Set(), sizeColumn: undefined });
  let read = 0;
  let variables: unknown;
  for await (const row of rows) {
    if (row.values) variables ??= variablesOf(row.values);
    if (++read >= MAX_ROWS) break;
  }
  if (variables === undefined) throw new RenderError('invalid_request', 'no row can be used');
  const body = JSON.stringify({ templateId: 'fuzzed', variables, responseType: 'binary' });
  return { body: Uint8Array.from(Buffer.from(body)), record: TEMPLATE };
}

/** Files come in chunks that end anywhere, within a character too. */
async function* inPieces(input: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < input.length; at += 61) yield input.subarray(at, at + 61);
}

// Upgrades the templates of a folder in format 1, whose rows contain their records.
import { listHotspots } from '../../../contract/template/record-strings.js';
import { type ContentFolder, digestOf } from '../content-folder.js';
import type { FormerTemplateRow, TemplateRow } from '../rows.js';
import type { Table } from '../table.js';

/**
 * Writes the records to files and changes the rows in memory; the caller saves the table. `now`: the creation date, which
 * format 1 did not store. Throws WriteError.
 */
export async function upgradeTemplates(table: Table<TemplateRow>, records: ContentFolder, now: string): Promise<void> {
  const former = table.rows as ReadonlyMap<string, unknown> as ReadonlyMap<string, FormerTemplateRow>;
  await records.writeAll(textsOf(former.values()));
  table.upgradeRows((row, index) => upgradeRow(row as unknown as FormerTemplateRow, index + 1, now));
}

function* textsOf(rows: Iterable<FormerTemplateRow>): Generator<string> {
  for (const { record } of rows) yield JSON.stringify(record);
}

export function upgradeRow(
  { record, name, width, height, ...others }: FormerTemplateRow,
  ordinal: number,
  now: string,
) {
  const text = JSON.stringify(record);
  const first = {
    version: 1,
    sha256: digestOf(text),
    bytes: Buffer.byteLength(text),
    name,
    width,
    height,
    hotspots: listHotspots(record),
    assetIds: [],
    createdAt: now,
  };
  return { ...others, ordinal, createdAt: now, updatedAt: now, publishedVersion: 1, versions: [first] };
}

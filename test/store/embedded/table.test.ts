// One table's snapshots: what is prepared before a write is committed by it, in the file's header.
import { promises, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type FileSystem, Mutex } from '../../../lib/store/embedded/durable-file.js';
import type { TableDefinition } from '../../../lib/store/embedded/snapshot.js';
import { Table } from '../../../lib/store/embedded/table.js';

interface Row {
  readonly id: string;
}

const ROWS: TableDefinition<Row> = { table: 'rows', isRow: (row): row is Row => row !== null };

t.test('prepares each batch once, before its write, whose header commits the result', async (t) => {
  const folder = t.testdir({});
  let fails = false;
  const rename: FileSystem['rename'] = (from, to) =>
    fails ? Promise.reject(new Error('made to fail')) : promises.rename(from, to);
  const options = { warn: () => undefined, mutex: new Mutex() };
  const table = new Table(promises, folder, ROWS, options);
  const faulty = new Table({ ...promises, rename }, folder, ROWS, options);
  await table.save({ tables: ['rows'] });
  const onDisk = () => JSON.parse(readFileSync(join(folder, 'rows.json'), 'utf8'));
  await faulty.load();
  t.same(faulty.header, { tables: ['rows'] });

  const prepared: string[][] = [];
  const committed: number[] = [];
  let pending: string[] = [];
  const add = (id: string) =>
    faulty.change((draft) => {
      draft.set(id, { id });
      pending.push(id);
    });
  faulty.prepareWrite = async () => {
    prepared.push(pending);
    pending = [];
    if (prepared.length === 3) throw new Error('no room');
    const { length } = prepared;
    return { fields: { committed: length }, commit: () => void committed.push(length) };
  };
  await Promise.all([add('a'), add('b')]);
  t.same(prepared, [['a', 'b']], 'one call for a batch');
  t.match(onDisk(), { tables: ['rows'], committed: 1, rows: [{ id: 'a' }, { id: 'b' }] });

  fails = true;
  await t.rejects(add('c'), { code: 'storage_unavailable' });
  fails = false;
  t.match(faulty.header, { committed: 1 }, 'a failed write commits nothing');
  await t.rejects(add('d'), { code: 'storage_unavailable' }, 'when preparing fails, nothing is written');
  t.match(onDisk(), { committed: 1, rows: { length: 2 } });
  await add('e');
  t.match(onDisk(), { committed: 4, rows: [{ id: 'a' }, { id: 'b' }, { id: 'e' }] });
  t.match(faulty.header, { tables: ['rows'], committed: 4 });
  t.same(committed, [1, 4]);
  await faulty.close();
});

// ZIP archives, read by foreign readers: Python's zipfile, and unzip where there is one.
import { execFile, execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { crc32 } from '../../../lib/codecs/png/crc.js';
import { formOf } from '../../../lib/service/batch/answers.js';
import { directory, localHeader, ZipWriter } from '../../../lib/service/batch/zip.js';
import { createWorld, FLAT } from '../world.js';
import { SCOPES } from './reply.js';

const run = promisify(execFile);

function lacks(program: string): string | false {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return false;
  } catch {
    return `there is no ${program} here`;
  }
}

const LIST = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    print(json.dumps([[i.filename, i.file_size, i.compress_type, i.date_time, i.header_offset, archive.read(i).decode('latin1')] for i in archive.infolist()]))
`;
const list = async (file: string) => JSON.parse((await run('python3', ['-c', LIST, file])).stdout);

t.test('Python reads names, bytes and dates', { skip: lacks('python3') }, async (t) => {
  const zip = new ZipWriter();
  const chunks = [...zip.add('a.png', Buffer.from('one')), ...zip.add('größe ✓.jpg', Buffer.from('')), zip.end()];
  const file = join(t.testdir({}), 'a.zip');
  writeFileSync(file, Buffer.concat(chunks));
  const date = [1980, 1, 1, 0, 0, 0];
  t.same(await list(file), [
    ['a.png', 3, 0, date, 0, 'one'],
    ['größe ✓.jpg', 0, 0, date, 38, ''],
  ]);
});

t.test('beyond 4 GiB it is ZIP64', { skip: lacks('python3') }, async (t) => {
  const file = join(t.testdir({}), 'large.zip');
  const handle = openSync(file, 'w');
  const bytes = Buffer.from('far');
  const entries = [0, 5 * 2 ** 30, 2 ** 32 - 1].map((offset, i) => ({
    name: `${i}.png`,
    crc: crc32(bytes),
    size: bytes.length,
    offset,
  }));
  for (const entry of entries) {
    const header = localHeader(entry);
    writeSync(handle, header, 0, header.length, entry.offset);
    writeSync(handle, bytes, 0, bytes.length, entry.offset + header.length);
  }
  const end = 6 * 2 ** 30;
  // the file is sparse
  ftruncateSync(handle, end);
  const listed = directory(entries, end);
  writeSync(handle, listed, 0, listed.length, end);
  closeSync(handle);
  const found = await list(file);
  t.same(
    found.map(([name, , , , offset, text]: unknown[]) => [name, offset, text]),
    entries.map(({ name, offset }) => [name, offset, 'far']),
  );
});

t.test('an archive has the pictures by their names, and last a report', { skip: lacks('unzip') }, async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ scopes: SCOPES, credits: 6 });
  const names = ['../../etc/passwd', 'A', 'a.PNG', undefined, 'x.jpeg', '4', 'late'];
  const items = names.map((name, i) => ({ ...FLAT, ...(name && { name }), ...(i === 4 && { format: 'jpeg' }) }));
  const ask = { path: '/v1/batches', key: caller.key, body: { items }, given: { accept: 'application/zip' } };
  const { headers, bytes } = await world.ask(ask);
  t.equal(headers.get('content-type'), 'application/zip');
  const folder = t.testdir({});
  writeFileSync(join(folder, 'a.zip'), bytes);
  await run('unzip', ['-q', 'a.zip', '-d', 'out'], { cwd: folder });
  const files = ['--..-etc-passwd.png', 'A.png', 'a-2.png', '4.png', 'x.jpg', '4-2.png'];
  t.same(readdirSync(join(folder, 'out')).sort(), [...files, 'report.json'].sort());
  t.same(readFileSync(join(folder, 'out/x.jpg')), Buffer.of(1, 2, 3, 4));
  const report = JSON.parse(readFileSync(join(folder, 'out/report.json'), 'utf8'));
  t.match(report, { done: true, succeeded: 6, failed: 1, creditsRemaining: 0 });
  t.same(
    report.rows.map(({ file }: { file?: string }) => file),
    [...files, undefined],
  );
  t.match(report.rows[6], { index: 6, name: 'late', success: false, code: 'CREDITS_EXHAUSTED' });
  t.notMatch(JSON.stringify(report), 'base64');
});

t.test('Accept chooses the form', async (t) => {
  const rows: [string | undefined, string][] = [
    [undefined, 'lines'],
    ['*/*', 'lines'],
    ['application/zip', 'zip'],
    ['Application/ZIP; q=0.5', 'zip'],
    ['application/x-ndjson, application/zip;q=0.9', 'lines'],
    ['application/x-ndjson;q=0.1, application/zip', 'zip'],
    ['application/zip;q=0', 'lines'],
    ['text/html', 'lines'],
    ['application/json', 'lines'],
  ];
  for (const [accept, form] of rows) t.equal(formOf(accept), form, String(accept));
});

// `platen doctor`: one line per finding, and exit code 1 only if renders don't work. test/jitless.test.ts runs it without WebAssembly.
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { HostFinding } from '../../lib/cli/doctor/finding.js';
import { main } from '../../lib/cli/main.js';
import { makeCheckout, ownEnvironment } from '../checkout.js';
import { createTestContext } from './context.js';

async function doctor(environment: Record<string, string>, ...options: string[]) {
  const directory = t.testdirName;
  const { context, output, errors } = createTestContext({ directory, environment });
  const code = await main(['doctor', ...options], context);
  return { code, output: output().toString(), errors: errors() };
}

async function findings(environment: Record<string, string>): Promise<Map<string, HostFinding>> {
  const { code, output } = await doctor(environment, '--json');
  const { works, findings } = JSON.parse(output) as { works: boolean; findings: HostFinding[] };
  t.equal(works, true);
  t.equal(code, 0);
  return new Map(findings.map((found) => [found.subject, found]));
}

t.test('prints a line for each finding', async (t) => {
  const { code, output, errors } = await doctor({ DATA_DIR: join(t.testdir({}), 'new') });
  t.equal(code, 0);
  t.equal(errors, '');
  const lines = output.trimEnd().split('\n');
  for (const line of lines) t.match(line, /^(ok|limited) {2,}\S+( \S+)? {2,}\S/);
  t.match(output, new RegExp(`^ok +runtime +Node ${process.versions.node} on `, 'm'));
  t.match(output, /^ok +WebAssembly +with SIMD$/m);
  t.match(output, /^ok +fonts +\d+ families in /m);
  t.match(output, /^ok +render +a PNG of 400 × 200 pixels in \d+ ms$/m);
  t.match(output, /^ok +processes +render processes start$/m);
  t.match(output, /^ok +data folder +\S+new, which can be created$/m);
  const help = await doctor({}, '--help');
  t.match(help.output, /^Usage: platen doctor/);
  t.ok(help.output.split('\n').every((line) => line.length <= 120));
});

t.test('tells what the settings of the service mean here', async (t) => {
  const folder = t.testdir({ file: 'x' });
  const scarce = await findings({ RENDER_MEMORY_MB: '100000000', DATA_DIR: join(folder, 'file/data') });
  t.match(scarce.get('memory'), { status: 'limited', effect: /lower RENDER_MEMORY_MB/ });
  t.match(scarce.get('data folder'), {
    status: 'limited',
    effect: 'platen serve needs another DATA_DIR, or STORE_URL',
  });
  const database = await findings({ STORE_URL: 'postgres://user:secret@host/database' });
  t.match(database.get('data folder'), { status: 'ok', found: 'in the database of STORE_URL' });
  const wrong = await findings({ PORT: 'x' });
  t.match(wrong.get('settings'), {
    status: 'limited',
    found: /^PORT: received "x"/,
    effect: 'platen serve does not start',
  });
});

t.test('exits with 1 where renders don’t work, and names the reason', async (t) => {
  const folder = t.testdir({});
  makeCheckout(folder);
  rmSync(join(folder, 'fonts'), { recursive: true });
  const argv = [join(folder, 'dist/bin/render.js'), 'doctor'];
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(process.execPath, argv, { env: ownEnvironment(folder), cwd: folder }, (error, output) =>
      resolve({ code: error?.code, output }),
    );
  });
  t.equal(code, 1);
  t.match(output, /^failed +fonts +platen can't find .*manifest\.json/m);
  t.match(output, /^failed +render +.*: nothing can be rendered$/m);
});

// Unhandled promise rejections are logged and do not end the process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { makeCheckout } from '../checkout.js';

// fault: 81
t.test('logs unhandled rejections and keeps running; an uncaught exception ends the process', async (t) => {
  const checkout = t.testdir();
  makeCheckout(checkout);
  const module = pathToFileURL(join(checkout, 'dist/modules/lib/cli/log-stream.js'));
  const run = async (finalStatement: string) => {
    const script = `
      import { logUnhandledRejections } from '${module}';
      logUnhandledRejections(process, { write: (line) => process.stdout.write(line) });
      Promise.reject(new TypeError('stray\\nline'));
      Promise.reject('text');
      setTimeout(() => { ${finalStatement} }, 50);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    const [code] = await once(child, 'close');
    return { code, lines: output.trim().split('\n') };
  };
  const survived = await run('process.exit(3)');
  t.equal(survived.code, 3);
  t.match(
    survived.lines.map((line) => JSON.parse(line)),
    [{ level: 50, err: { message: 'stray\nline', stack: /TypeError/ } }, { err: { message: 'text' } }],
  );
  t.equal((await run("throw new Error('end')")).code, 1);
});

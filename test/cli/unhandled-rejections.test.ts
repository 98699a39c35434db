// A rejection that nobody waited for: a line in the log, and the process lives on.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { makeCheckout } from '../checkout.js';

// fault: 81
t.test('nobody waited for it: it is told, and outlived; what is thrown ends the process', async (t) => {
  const checkout = t.testdir();
  makeCheckout(checkout);
  const module = pathToFileURL(join(checkout, 'dist/lib/cli/log-stream.js'));
  const run = async (then: string) => {
    const script = `
      import { logUnhandledRejections } from '${module}';
      logUnhandledRejections(process, { write: (line) => process.stdout.write(line) });
      Promise.reject(new TypeError('stray\\nline'));
      Promise.reject('text');
      setTimeout(() => { ${then} }, 50);`;
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
  const lived = await run('process.exit(3)');
  t.equal(lived.code, 3);
  t.match(
    lived.lines.map((line) => JSON.parse(line)),
    [{ level: 50, err: { message: 'stray\nline', stack: /TypeError/ } }, { err: { message: 'text' } }],
  );
  t.equal((await run("throw new Error('end')")).code, 1);
});

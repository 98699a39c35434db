// Runs the product's render process and checks after each job that no shared prototype has gained a property.
import { POLLUTED } from './polluted.js';
import { sharedNames } from './shared.js';

const before = sharedNames();
const { stdout } = process;
const write = stdout.write.bind(stdout);

stdout.write = ((...args: Parameters<typeof write>) => {
  if (sharedNames() !== before) process.exit(POLLUTED);
  return write(...args);
}) as typeof stdout.write;

await import('../../lib/workers/child.js');

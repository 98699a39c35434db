// Runs the product's render process and checks after each job that no shared prototype has gained a property.
import { POLLUTED } from './polluted.js';
import { sharedNames } from './shared.js';

const before = sharedNames();
const send = process.send?.bind(process);

process.send = ((message: unknown, ...rest: []) => {
  if (sharedNames() !== before) process.exit(POLLUTED);
  return send?.(message, ...rest) ?? false;
}) as NonNullable<typeof process.send>;

await import('../../lib/workers/child.js');

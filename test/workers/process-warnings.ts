// Node's warnings, such as that of too many listeners.
import type { Test } from 'tap';

/** The messages of the warnings that this process gives from now on, until the test ends. */
export function warningsDuring(t: Test): string[] {
  const messages: string[] = [];
  const add = ({ message }: Error) => void messages.push(message);
  process.on('warning', add);
  t.teardown(() => process.off('warning', add));
  return messages;
}

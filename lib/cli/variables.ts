// `--var` and `--vars` → a template's variables.

import { isObject } from '../contract/fields.js';
import { formatReceived } from '../contract/issues.js';
import { RenderError } from '../errors.js';
import type { VariableWords } from './args.js';
import { readPayload } from './payload.js';
import type { CliContext } from './stdio.js';

/**
 * The variables that the words name: those of the file, then each pair's text as it stands (no JSON is looked for in it).
 * Throws RenderError when the file can't be read, is no JSON or no object.
 */
export async function readVariables(
  { file, pairs }: VariableWords,
  terminal: CliContext,
): Promise<Record<string, unknown>> {
  const { value } = file === undefined ? { value: {} } : await readPayload(file, terminal);
  if (!isObject(value)) {
    throw new RenderError(
      'invalid_request',
      `${file}: received ${formatReceived(value)}, expected an object of variables`,
    );
  }
  // Entries rather than assignments: a variable may be called __proto__.
  return Object.fromEntries([...Object.entries(value), ...pairs]);
}

// Checks the sample sets of a template as renders with them would.

import { attempt } from '../contract/messages/issues.js';
import { listSamples } from '../contract/template/samples.js';
import type { DetailCode } from '../detail-codes.js';
import type { Detail, Warning } from '../errors.js';
import { type PreparedTemplate, prepareTemplate, type ResolveOptions } from './resolve.js';

export interface Findings {
  readonly errors: readonly Detail[];
  readonly warnings: readonly Warning[];
}

/**
 * Finds errors and doubtful values in the variables of the sample sets of a record without faults:
 * `samples[1].variables.title`.
 */
export function validateSamples(
  record: unknown,
  { maxLayers, icons, checkUrl }: Pick<ResolveOptions, 'maxLayers' | 'icons' | 'checkUrl'>,
): Findings {
  const prepared = new Map<string | undefined, PreparedTemplate>();
  const errors: Detail[] = [];
  const warnings: Warning[] = [];
  for (const { path, variables, size } of listSamples(record)) {
    const template = prepared.get(size) ?? prepareTemplate(record, { maxLayers, icons, size });
    prepared.set(size, template);
    const at = <Code extends DetailCode>(found: Detail<Code>): Detail<Code> =>
      isAboutVariables(found)
        ? { ...found, path: `${path}.${found.path}` }
        : { ...found, path, message: `${found.path}: ${found.message}` };
    const { value, details } = attempt(() => template.resolve(variables, checkUrl));
    warnings.push(...(value?.warnings ?? []).filter(isAboutVariables).map(at));
    errors.push(...details.map(at));
  }
  return { errors, warnings };
}

/** Whether the finding is about variables of a render. */
export const isAboutVariables = ({ path }: Detail): boolean => /^variables(?:$|[.[])/.test(path);

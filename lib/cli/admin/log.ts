// `platen log`: the entries of the render log, filtered.
import type { RenderLogFilter } from '../../store/types.js';
import type { Arguments } from './arguments.js';
import { type Commands, inStore, listOutput } from './command.js';
import { readPages } from './pages.js';

const DEFAULT_LIMIT = '50';
const COLUMNS = [
  ...['time', 'status', 'code', 'keyId', 'templateId', 'format', 'width', 'height', 'durationMs', 'cpuMs'],
  ...['sizeBytes', 'creditsCost', 'metadata'],
];

export const LOG: Commands = {
  log: {
    options: ['workspace', 'limit', 'status', 'template', 'key', 'from', 'to', 'metadata'],
    parse(given) {
      const workspace = given.text('workspace');
      const limit = given.wholeNumber('limit', 1, DEFAULT_LIMIT);
      const filter = parseFilter(given);
      return inStore(async (store) => {
        const entries = await readPages((page) => store.listRenders(workspace, filter, page), limit);
        return listOutput(entries, COLUMNS, 'no renders');
      });
    },
  },
};

function parseFilter(given: Arguments): RenderLogFilter {
  const status = given.optional('status') === undefined ? undefined : given.oneOf('status', ['ok', 'failed'] as const);
  return {
    status,
    templateId: given.optional('template'),
    keyId: given.optional('key'),
    from: given.time('from'),
    to: given.time('to'),
    metadata: given.metadata(),
  };
}

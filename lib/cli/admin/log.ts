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
    parse(args) {
      const workspace = args.text('workspace');
      const limit = args.wholeNumber('limit', 1, DEFAULT_LIMIT);
      const filter = parseFilter(args);
      return inStore(async (store) => {
        const entries = await readPages((page) => store.listRenders(workspace, filter, page), limit);
        return listOutput(entries, COLUMNS, 'no renders');
      });
    },
  },
};

function parseFilter(args: Arguments): RenderLogFilter {
  const status = args.optional('status') === undefined ? undefined : args.oneOf('status', ['ok', 'failed'] as const);
  return {
    status,
    templateId: args.optional('template'),
    keyId: args.optional('key'),
    from: args.time('from'),
    to: args.time('to'),
    metadata: args.metadata(),
  };
}

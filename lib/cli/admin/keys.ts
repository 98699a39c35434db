// `platen keys …`.
import { createRawKey, hashKey, keyPrefix } from '../../store/api-keys.js';
import type { Scope } from '../../store/types.js';
import { type Commands, inStore, listOutput, recordOutput } from './command.js';

const SCOPES: readonly Scope[] = ['render:write', 'render:read', 'templates:read', 'templates:write', 'batch:write'];
const COLUMNS = ['id', 'name', 'prefix', 'scopes', 'state', 'rateLimit', 'createdAt', 'lastUsedAt'];

export const KEYS: Commands = {
  'keys create': {
    options: ['workspace', 'name', 'scopes', 'rate-limit'],
    parse(args) {
      const fields = {
        workspaceId: args.text('workspace'),
        name: args.name(),
        scopes: args.listOf('scopes', SCOPES, 'render:write'),
        ...(args.optional('rate-limit') !== undefined && { rateLimit: args.wholeNumber('rate-limit', 1) }),
      };
      return inStore(async (store) => {
        const key = createRawKey();
        const output = recordOutput({
          ...(await store.createKey({ ...fields, hash: hashKey(key), prefix: keyPrefix(key) })),
          key,
        });
        return { ...output, text: `${output.text}The key is not shown again: only its SHA-256 is stored.\n` };
      });
    },
  },
  'keys list': {
    options: ['workspace'],
    parse(args) {
      const workspace = args.text('workspace');
      return inStore(async (store) => listOutput(await store.listKeys(workspace), COLUMNS, 'no keys'));
    },
  },
  'keys revoke': {
    operands: 'a key id',
    parse({ operands: [id] }) {
      return inStore(async (store) => recordOutput(await store.revokeKey(id)));
    },
  },
};

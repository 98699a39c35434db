// `platen links …`: keys that sign image links.
import { createLinkKeyPair } from '../../links/sign.js';
import { type Commands, inStore, listOutput, recordOutput } from './command.js';

const COLUMNS = ['id', 'name', 'state', 'createdAt', 'lastUsedAt', 'revokedAt'];

export const LINKS: Commands = {
  'links create': {
    options: ['workspace', 'name'],
    parse(args) {
      const fields = { workspaceId: args.text('workspace'), name: args.name() };
      return inStore(async (store) => {
        const { privateKey, publicKey } = await createLinkKeyPair();
        const { id, workspaceId, name } = await store.createLinkKey({ ...fields, publicKey });
        const output = recordOutput({ id, workspaceId, name, privateKey });
        return {
          ...output,
          text: `${output.text}The private key is not shown again: only its public half is stored.\n`,
        };
      });
    },
  },
  'links list': {
    options: ['workspace'],
    parse(args) {
      const workspace = args.text('workspace');
      return inStore(async (store) => listOutput(await store.listLinkKeys(workspace), COLUMNS, 'no link keys'));
    },
  },
  'links revoke': {
    operands: 'the id of a link key',
    parse({ operands: [id] }) {
      return inStore(async (store) => recordOutput(await store.revokeLinkKey(id)));
    },
  },
};

// `platen store …` and `platen migrate`: what concerns the store as a whole.
import { restoreStore } from '../../store/open.js';
import { StoreError } from '../../store/types.js';
import { interruptible } from '../signals.js';
import { type Commands, listOutput } from './command.js';

export const STORE: Commands = {
  'store restore': {
    parse:
      () =>
      async ({ context, place }) => {
        const restored = await interruptible(context, () => restoreStore(place.folder));
        return listOutput(restored, ['file', 'from', 'kept'], 'all files are readable: nothing to restore');
      },
  },
  'store copy': {
    options: ['from', 'to'],
    parse(args) {
      const [from, to] = [args.text('from'), args.text('to')];
      return async ({ context }) => {
        const { copyCommand } = await import('./copy.js');
        const copied = await interruptible(context, () => copyCommand(from, to, context));
        return listOutput(copied, ['what', 'source', 'added', 'verified'], 'nothing to copy');
      };
    },
  },
  migrate: {
    parse:
      () =>
      async ({ context, place: { url } }) => {
        if (url === undefined) throw new StoreError('STORE_URL is not set: a data folder has no schema to migrate');
        const { migrateDatabase } = await import('../../store/postgres/store.js');
        const migrations = await interruptible(context, () => migrateDatabase(url));
        return listOutput(migrations, ['version', 'name', 'appliedAt', 'now'], 'no migrations');
      },
  },
};

// `platen brand …`: the tokens, themes, fonts and logos of a workspace.
import { answerOf, type BrandAnswer, type BrandRecord } from '../../contract/api/brand.js';
import { readPayload } from '../payload.js';
import { type CommandOutput, formatJson } from '../print.js';
import { type AdminSession, type Commands, inStore } from './command.js';

export const BRAND: Commands = {
  'brand get': {
    options: ['workspace'],
    parse(args) {
      const workspace = args.text('workspace');
      return inStore(async (store) => {
        // an unknown workspace has no balance either
        await store.balance(workspace);
        return output(answerOf(await store.findBrand(workspace)));
      });
    },
  },
  'brand set': {
    options: ['workspace'],
    operands: 'the brand: a JSON file, or - for standard input',
    parse(args) {
      const [source] = args.operands;
      const workspace = args.text('workspace');
      return async (session) => {
        // an invalid brand must not create or lock anything, so it is checked before the store is opened
        const brand = await readBrand(source, session);
        return await session.withStore(async (store) => output(answerOf(await store.replaceBrand(workspace, brand))));
      };
    },
  },
};

/** Reads and checks a brand. Throws a RenderError that lists all issues. */
async function readBrand(source: string, { context }: AdminSession): Promise<BrandRecord> {
  const { value } = await readPayload(source, context);
  const { checkBrand } = await import('../../templates/data/brand.js');
  return checkBrand(value);
}

const output = (brand: BrandAnswer): CommandOutput => ({ value: brand, text: formatJson(brand) });

// `GET /v1/fonts`: the families that `fontFamily` may name in the workspace of the API key.
import type { FontList } from '../../contract/api/fonts.js';
import { listFontFamilies } from '../../fonts/catalogue.js';
import { jsonAnswer } from '../http/answer.js';
import type { WorkspaceOperation } from '../operation.js';
import type { ServiceOptions } from '../request.js';

export function listFonts({ store, userFonts }: ServiceOptions): WorkspaceOperation {
  return {
    window: 'read',
    async run({ caller }) {
      const assets = await store.listFontAssets(caller.workspace.id);
      const answer: FontList = { items: await listFontFamilies(userFonts, assets) };
      return jsonAnswer(200, answer);
    },
  };
}

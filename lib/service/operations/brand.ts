// `GET` and `PUT /v1/brand`: the tokens, fonts and logos of the workspace. `If-Match` names the version to replace.
import { answerOf, MAX_BRAND_BYTES } from '../../contract/api/brand.js';
import { matchesNone, parseIfMatch, versionTag } from '../../contract/api/headers.js';
import type { StoredBrand } from '../../store/types.js';
import { checkBrand } from '../../templates/data/brand.js';
import { brandConflict, fromStore } from '../failure.js';
import { emptyAnswer, jsonAnswer } from '../http/answer.js';
import type { WorkspaceCall, WorkspaceOperation } from '../operation.js';
import type { Answer, ServiceOptions } from '../request.js';

export function getBrand({ store }: ServiceOptions): WorkspaceOperation {
  return {
    scope: 'templates:read',
    window: 'read',
    async run({ caller, context }) {
      const brand = await store.findBrand(caller.workspace.id);
      const tag = versionTag(brand?.version ?? 0);
      if (matchesNone(context.request.ifNoneMatch, tag)) return emptyAnswer(304, [['ETag', tag]]);
      return brandAnswer(brand);
    },
  };
}

export function replaceBrand({ store, settings }: ServiceOptions): WorkspaceOperation {
  return {
    scope: 'templates:write',
    window: 'read',
    maxBodyBytes: Math.min(MAX_BRAND_BYTES, settings.MAX_BODY_BYTES),
    async run(call) {
      const record = checkBrand(await call.json());
      const { id } = call.caller.workspace;
      const ifVersion = await expectedVersion(call, store);
      return brandAnswer(await fromStore(store.replaceBrand(id, record, ifVersion), undefined, brandConflict));
    },
  };
}

/** The version that `If-Match` allows to be replaced; undefined for any. Throws RenderError `version_conflict` if none can be. */
async function expectedVersion(
  { context, caller }: WorkspaceCall,
  store: Pick<ServiceOptions['store'], 'findBrand'>,
): Promise<number | undefined> {
  const states = parseIfMatch(context.request.ifMatch);
  if (states === undefined) return undefined;
  const versions = states.flatMap(({ version, publishedVersion }) => (publishedVersion === undefined ? version : []));
  if (versions.length === 1) return versions[0];
  const latest = (await store.findBrand(caller.workspace.id))?.version ?? 0;
  if (!versions.includes(latest)) throw brandConflict();
  return latest;
}

function brandAnswer(brand: StoredBrand | undefined): Answer {
  const answer = answerOf(brand);
  return jsonAnswer(200, answer, [['ETag', versionTag(answer.version)]]);
}

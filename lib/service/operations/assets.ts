// The pictures and fonts of a workspace: `/v1/assets` and `/v1/assets/{id}`.
import { createHash } from 'node:crypto';
import type { AssetAnswer, AssetPage } from '../../contract/api/assets.js';
import { deleteAssetQuery, listQuery, parseQuery } from '../../contract/api/query.js';
import type { StoredAsset } from '../../store/types.js';
import { engineCall } from '../charged-render.js';
import { assetNotFound, fromStore } from '../failure.js';
import { emptyAnswer, jsonAnswer } from '../http/answer.js';
import type { WorkspaceOperation } from '../operation.js';
import type { ServiceOptions } from '../request.js';

const MEBIBYTE = 2 ** 20;

export function addAsset(options: ServiceOptions): WorkspaceOperation {
  const { store, engine, settings } = options;
  const quotaBytes = settings.ASSET_QUOTA_MB * MEBIBYTE;
  return {
    scope: 'templates:write',
    window: 'read',
    maxBodyBytes: settings.ASSET_MAX_BYTES,
    async run({ context, caller, body, permit }) {
      const file = await body();
      const description = await engine.inspectAsset(file, engineCall({ caller, permit, context }, options));
      context.request.signal.throwIfAborted();
      const sha256 = createHash('sha256').update(file).digest('hex');
      const described = { ...description, sha256, workspaceId: caller.workspace.id };
      const { asset, isNew } = await fromStore(store.addAsset(described, file, quotaBytes), assetNotFound);
      const headers: [string, string][] = isNew ? [['Location', `/v1/assets/${asset.id}`]] : [];
      return jsonAnswer(isNew ? 201 : 200, answerOf(asset), headers);
    },
  };
}

export function listAssets({ store }: ServiceOptions): WorkspaceOperation {
  return {
    scope: 'templates:read',
    window: 'read',
    async run({ caller, query }) {
      const { limit, cursor } = parseQuery(listQuery, query);
      const page = await fromStore(store.listAssets(caller.workspace.id, { limit, cursor }), assetNotFound);
      const answer: AssetPage = { items: page.items.map(answerOf), nextCursor: page.nextCursor };
      return jsonAnswer(200, answer);
    },
  };
}

export function getAsset({ store }: ServiceOptions): WorkspaceOperation {
  return {
    scope: 'templates:read',
    window: 'read',
    async run({ caller, parameters }) {
      const asset = await store.findAsset(caller.workspace.id, parameters.id);
      if (!asset) throw assetNotFound();
      return jsonAnswer(200, answerOf(asset));
    },
  };
}

export function deleteAsset({ store }: ServiceOptions): WorkspaceOperation {
  return {
    scope: 'templates:write',
    window: 'read',
    async run({ caller, parameters, query }) {
      const { force } = parseQuery(deleteAssetQuery, query);
      await fromStore(store.deleteAsset(caller.workspace.id, parameters.id, { force }), assetNotFound);
      return emptyAnswer(204, []);
    },
  };
}

/** The asset without its workspace, which is the caller's, and without what `GET /v1/fonts` says. */
function answerOf({
  workspaceId: _workspaceId,
  sha256: _sha256,
  typeface: _typeface,
  ...asset
}: StoredAsset): AssetAnswer {
  return asset;
}

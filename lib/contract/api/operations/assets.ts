// The operations of `/v1/assets`.
import { deleteAssetQuery, listQuery } from '../query.js';
import { ASSET, ASSET_ID } from './examples.js';
import { json, type Operation, page } from './operation.js';

const id = { description: 'id of an asset', example: ASSET_ID };
const shared = { tag: 'Assets', window: 'read' } as const;
const reads = { ...shared, method: 'GET', scope: 'templates:read' } as const;
const writes = { ...shared, scope: 'templates:write' } as const;

export const addAsset: Operation = {
  ...writes,
  id: 'addAsset',
  method: 'POST',
  path: '/v1/assets',
  summary: 'Add a picture or a font',
  description:
    'The body is the file. It is checked and stored by its content: the same bytes again give the same asset. Layers name it as asset:ID in url or customFontUrl, and an added font by its family in fontFamily.',
  body: {
    mediaType: 'application/octet-stream',
    schemas: [],
    description:
      'A PNG, JPEG, WebP, AVIF, GIF or SVG, or a TTF, OTF, WOFF or WOFF2 file; the format is known by the content.',
  },
  answers: [
    json('The workspace had these bytes already', 'Asset', ASSET),
    { ...json('The new asset', 'Asset', ASSET, ['Location']), status: 201 },
  ],
  errors: ['invalid_request', 'asset_quota', 'render_failed', 'render_timeout'],
};

export const listAssets: Operation = {
  ...reads,
  id: 'listAssets',
  path: '/v1/assets',
  summary: 'List assets',
  description: 'The pictures and fonts of the workspace, newest first.',
  query: listQuery,
  answers: [page('AssetPage', ASSET)],
  errors: ['invalid_request'],
};

export const getAsset: Operation = {
  ...reads,
  id: 'getAsset',
  path: '/v1/assets/{id}',
  summary: 'Get an asset',
  description: 'What is known of it; not the file.',
  parameters: { id },
  answers: [json('The asset', 'Asset', ASSET)],
  errors: ['asset_not_found'],
};

export const deleteAsset: Operation = {
  ...writes,
  id: 'deleteAsset',
  method: 'DELETE',
  path: '/v1/assets/{id}',
  summary: 'Delete an asset',
  description: 'Refused while templates name it, unless force is true: renders of these templates then fail.',
  parameters: { id },
  query: deleteAssetQuery,
  answers: [{ status: 204, description: 'It is deleted' }],
  errors: ['invalid_request', 'asset_not_found', 'asset_in_use'],
};

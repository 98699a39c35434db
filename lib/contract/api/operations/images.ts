// `GET /v1/images/{templateId}.{format}`, which no API key calls: its examples are in docs/links.md.
import { imageQuery } from '../query.js';
import { TEMPLATE_ID } from './examples.js';
import type { Operation } from './operation.js';

export const linkedImage: Operation = {
  id: 'getLinkedImage',
  method: 'GET',
  path: '/v1/images/{templateId}.{format}',
  tag: 'Render',
  summary: 'Get the image of a signed link',
  description:
    'For <img> and og:image. The parameters v.NAME fill the template. The last parameter, signature, is the Ed25519 signature (base64url) of the path and the query before it, made with a link key. An image takes the cost of a render when it is first answered, and is free for 24 hours; answers without it, to HEAD and 304, are never charged.',
  isSigned: true,
  window: 'render',
  parameters: {
    templateId: { description: 'id of a published template', example: TEMPLATE_ID },
    format: { description: 'png, jpg, jpeg, webp or avif', example: 'png' },
  },
  query: imageQuery,
  headers: ['If-None-Match'],
  answers: [
    {
      status: 200,
      description: 'The picture',
      isPicture: true,
      headers: ['X-Canvas-Width', 'X-Canvas-Height', 'X-Service-Alt', 'X-Service-Render-Id', 'ETag', 'Cache-Control'],
    },
    {
      status: 302,
      description: 'An error of a link with a fallback: Location is that',
      headers: ['Location', 'Cache-Control'],
    },
    {
      status: 304,
      description: 'The picture is the one of If-None-Match; the body is empty',
      headers: ['ETag', 'Cache-Control'],
    },
  ],
  errors: [
    'invalid_request',
    'credits_exhausted',
    'invalid_signature',
    'link_expired',
    'template_not_found',
    'idempotency_in_progress',
    'render_failed',
    'asset_failed',
    'render_timeout',
  ],
};

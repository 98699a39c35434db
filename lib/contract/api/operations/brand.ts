// The operations of `/v1/brand`.
import { BRAND, BRAND_RECORD } from './examples.js';
import { json, type Operation } from './operation.js';

const shared = { tag: 'Brand', window: 'read', path: '/v1/brand' } as const;

export const getBrand: Operation = {
  ...shared,
  id: 'getBrand',
  method: 'GET',
  scope: 'templates:read',
  summary: 'Get the brand',
  description: 'The latest version, or version 0 with nothing in it for a workspace without a brand.',
  headers: ['If-None-Match'],
  answers: [
    json('The brand', 'Brand', BRAND, ['ETag']),
    {
      status: 304,
      description: 'The client has it already, as If-None-Match says; the body is empty',
      headers: ['ETag'],
    },
  ],
  errors: [],
};

export const replaceBrand: Operation = {
  ...shared,
  id: 'replaceBrand',
  method: 'PUT',
  scope: 'templates:write',
  summary: 'Replace the brand',
  description:
    'Saves the next version, which renders take from now on. The latest 100 are kept. With If-Match, only if nobody else has saved a version since; "0" is that of a workspace without a brand.',
  headers: ['If-Match'],
  exampleHeaders: { 'If-Match': '"0"' },
  body: {
    mediaType: 'application/json',
    schemas: ['BrandRecord'],
    description: 'The whole brand, up to 256 KiB. What is absent is empty.',
    example: BRAND_RECORD,
  },
  answers: [json('The brand', 'Brand', BRAND, ['ETag'])],
  errors: ['version_conflict'],
};

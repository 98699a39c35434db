// The operation `GET /v1/fonts`.
import { FONT } from './examples.js';
import type { Operation } from './operation.js';

export const listFonts: Operation = {
  id: 'listFonts',
  method: 'GET',
  path: '/v1/fonts',
  tag: 'Fonts',
  summary: 'List fonts',
  description: 'The families that fontFamily may name: the bundled ones, then those of the workspace.',
  window: 'read',
  answers: [{ status: 200, description: 'All families', schema: 'FontList', example: { items: [FONT] } }],
  errors: [],
};

// `POST /v1/batches`.
import { batchQuery } from '../batch.js';
import { BATCH, BATCH_LINE } from './examples.js';
import type { Operation } from './operation.js';

export const renderBatch: Operation = {
  id: 'renderBatch',
  method: 'POST',
  path: '/v1/batches',
  tag: 'Batches',
  summary: 'Render many images',
  description:
    'Rows that fill one template, or items that are bodies of POST /v1/render; 1 to 1,000, at most 10 MiB. The answer streams in their order, as Accept chooses: lines of JSON, or a ZIP archive of the pictures with report.json. A row that fails does not stop the others. Each row that succeeds takes the cost of a render, just before its picture is sent. With an Idempotency-Key the same batch can be sent again: rows that were charged are free, the others are rendered. A batch counts as one request.',
  scope: 'batch:write',
  window: 'render',
  query: batchQuery,
  headers: ['Idempotency-Key'],
  body: {
    mediaType: 'application/json',
    schemas: ['BatchRows', 'BatchItems'],
    description:
      'JSON with rows or items. As application/x-ndjson: one item a line. As text/csv, with templateId in the query: the first line names the variables.',
    example: BATCH,
    others: [
      { mediaType: 'application/x-ndjson', lines: 'CanvasRequest' },
      { mediaType: 'text/csv', example: 'title\nHello\nGood morning\n' },
    ],
  },
  exampleHeaders: { 'Idempotency-Key': 'greetings-7' },
  answers: [
    {
      status: 200,
      description: 'One line of JSON for each row, then a summary; or the archive',
      streams: [
        { mediaType: 'application/x-ndjson', lines: 'BatchLine', example: BATCH_LINE },
        { mediaType: 'application/zip' },
      ],
    },
  ],
  errors: [
    'credits_exhausted',
    'template_not_found',
    'idempotency_in_progress',
    'idempotency_mismatch',
    'render_failed',
  ],
};

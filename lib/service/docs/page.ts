// GET /docs: the API's page, which the build made from the OpenAPI document (scripts/api-page.mjs).
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { ServiceError } from '../../errors.js';
import { API_PAGE_FILE } from '../../package-files.js';
import type { Answer } from '../request.js';

/** Only the page's own script runs, and it reaches only this server. */
const policyOf = (script: string) =>
  [
    "default-src 'none'",
    `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    "style-src 'unsafe-inline'",
    "connect-src 'self'",
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

let loaded: Answer | undefined;

/** Reads the page once: anyone may ask for it. */
export function docsAnswer(): Answer {
  if (loaded) return loaded;
  if (!existsSync(API_PAGE_FILE)) throw new ServiceError('not_found', 'this installation has no page of the API');
  const body = readFileSync(API_PAGE_FILE);
  const [, script = ''] = /<script>(.*)<\/script>/s.exec(body.toString()) ?? [];
  loaded = {
    status: 200,
    isShared: true,
    headers: new Map([
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Content-Security-Policy', policyOf(script)],
    ]),
    body,
    length: body.length,
  };
  return loaded;
}

// The page for people who open `/`, or a path at which there is nothing, in a browser.
import { createHash } from 'node:crypto';
import type { Answer, ApiRequest } from './request.js';

const STYLE = `:root{color-scheme:light dark;--text:#1f2937;--link:#1d4ed8;--page:#fff}
@media (prefers-color-scheme:dark){:root{--text:#e5e7eb;--link:#93c5fd;--page:#111827}}
body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:0 auto;padding:15vh 1rem 0;color:var(--text);background:var(--page)}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Whether a person asks: a browser that opens an address names `text/html` in `Accept`. */
export function isVisitor({ method, header }: Pick<ApiRequest, 'method' | 'header'>): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const types = header?.('accept')?.toLowerCase().split(',') ?? [];
  return types.some((type) => /^\s*text\/html\s*(;|$)/.test(type) && !/;\s*q=0(\.0*)?\s*(;|$)/.test(type));
}

/** 200 for `/`, 404 for all other paths. The page repeats nothing of the request. */
export function visitorPage(path: string, { hasDashboard }: { readonly hasDashboard: boolean }): Answer {
  const isHome = path === '/';
  const title = isHome ? 'Platen' : 'Not found';
  const text = isHome ? 'This server renders images from JSON.' : 'There is nothing at this address.';
  const dashboard = hasDashboard
    ? '<li><a href="/dashboard/">Dashboard</a>: keys, credits, templates and renders</li>'
    : '';
  const body = new TextEncoder().encode(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1><p>${text}</p><ul><li><a href="/docs">Documentation</a>: the operations of the API</li>${dashboard}</ul></main></body></html>
`);
  const headers = new Map([
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Content-Security-Policy', POLICY],
    ['Referrer-Policy', 'no-referrer'],
    ['Cache-Control', 'no-store'],
  ]);
  return { status: isHome ? 200 : 404, headers, body, length: body.length };
}

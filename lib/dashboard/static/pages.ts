// Serves the pages: one document for all of them, whose script draws the page for the path. It is public and the same for
// everyone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES_FOLDER } from '../../package-files.js';
import type { Answer } from '../../service/request.js';
import type { RouteTable } from '../../service/router.js';
import { DashboardError } from '../errors.js';
import { PAGE_POLICY } from '../headers.js';

/** Names of files in `dist/dashboard/files`, as the build writes them. */
export interface Manifest {
  readonly script: string;
  readonly styles: readonly string[];
  /** Scripts that the first one imports. */
  readonly preload?: readonly string[];
  readonly icon?: string;
  /** Scripts that run as workers. */
  readonly workers?: readonly string[];
}

/** Paths below `/dashboard/`. */
export const PAGES = [
  '',
  'login',
  'link',
  'templates',
  'templates/{id}',
  'keys',
  'links',
  'renders',
  'billing',
  'playground',
  'activity',
  'operators',
] as const;

/** Reads the manifest; undefined if the build contains no pages. */
export function readManifest(): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(PAGES_FOLDER, 'manifest.json'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export function pageTable(manifest: Manifest | undefined): RouteTable {
  const answer = manifest && pageAnswer(manifest);
  const show = () => {
    if (!answer)
      throw new DashboardError('no_pages', 'this build has no dashboard pages: run npm run build in the checkout');
    return answer;
  };
  return Object.fromEntries(PAGES.map((path) => [`/dashboard/${path}`, { GET: show }]));
}

function pageAnswer({ script, styles, preload = [], icon }: Manifest): Answer {
  const url = (name: string) => `/dashboard/files/${encodeURI(name)}`;
  const links = [
    ...styles.map((name) => `<link rel="stylesheet" href="${url(name)}">`),
    ...preload.map((name) => `<link rel="modulepreload" href="${url(name)}">`),
    icon === undefined ? '<link rel="icon" href="data:,">' : `<link rel="icon" href="${url(icon)}">`,
  ];
  const body = new TextEncoder().encode(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Platen</title>
${links.join('\n')}
<script type="module" src="${url(script)}"></script>
</head>
<body><div id="app"></div><noscript>The dashboard needs JavaScript.</noscript></body>
</html>
`);
  const headers = new Map([
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Content-Security-Policy', PAGE_POLICY],
    ['Cache-Control', 'no-cache'],
  ]);
  return { status: 200, headers, body, length: body.length, isShared: true };
}

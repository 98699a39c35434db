// The guide below `/docs/guide/`: the documentation site that scripts/docs.mjs makes, and what its playground runs: the engine
// for browsers, its fonts and its WebAssembly, which are elsewhere in the package.
import { ServiceError } from '../../errors.js';
import { ENGINE_FOLDER, FONTS_FOLDER, GUIDE_FOLDER, WASM_FOLDER } from '../../package-files.js';
import { emptyAnswer } from '../http/answer.js';
import { listFolder, REVALIDATED, type StaticFile } from '../http/static-files.js';
import type { Answer, RequestContext } from '../request.js';

const BASE = '/docs/guide/';

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
/** A worker obeys the policy of the answer that it came with. The engine's kernels are WebAssembly. */
const ENGINE_POLICY = PAGE_POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'");

/** Other addresses of a page, relative to the address that is asked for: a proxy may serve the API below a path. */
const REDIRECTS: Readonly<Record<string, string>> = {
  '/docs/guide': 'guide/',
  // the site has the API's page under this name where there is no service
  [`${BASE}reference.html`]: '../../docs',
};

export interface GuideFolders {
  readonly guide: string;
  readonly engine: string;
  readonly fonts: string;
  readonly wasm: string;
}

const FOLDERS: GuideFolders = { guide: GUIDE_FOLDER, engine: ENGINE_FOLDER, fonts: FONTS_FOLDER, wasm: WASM_FOLDER };

/** Answers a request for the guide; undefined for paths outside the guide. */
export type Guide = (context: RequestContext) => Promise<Answer> | undefined;

/** Lists the guide's files. Has none if the build made no site. */
export function createGuide({ guide, engine, fonts, wasm } = FOLDERS): Guide {
  const list = (folder: string, base: string, policy: string) =>
    listFolder({ folder, base, caching: REVALIDATED, policyOf: () => policy });
  const pages = new Map(list(guide, BASE, PAGE_POLICY));
  const index = pages.get(`${BASE}index.html`);
  if (!index) return () => undefined;
  const files = new Map<string, StaticFile>([
    ...pages,
    [BASE, index],
    ...list(engine, `${BASE}engine/`, ENGINE_POLICY),
    ...list(fonts, `${BASE}fonts/`, PAGE_POLICY),
    ...list(wasm, `${BASE}wasm/`, PAGE_POLICY),
  ]);
  return (context) => {
    const { path, method } = context.request;
    const target = REDIRECTS[path];
    const file = files.get(path);
    if (target === undefined && !file) return undefined;
    context.route = file?.route ?? path;
    if (method !== 'GET' && method !== 'HEAD') {
      context.headers.set('Allow', 'GET, HEAD');
      throw new ServiceError('method_not_allowed', `${method} is not allowed here; allowed: GET, HEAD`);
    }
    return file?.answer(context.request) ?? Promise.resolve(emptyAnswer(308, [['Location', target!]]));
  };
}

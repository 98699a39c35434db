// Fetches for the engine from the dashboard's server: pictures and fonts of payloads, the workspace's fonts and templates.
// Keeps everything for a short time, because a payload is drawn again at every key stroke.
import { AssetFile } from '../../lib/assets/asset-file.js';
import { fetchAsset } from '../../lib/browser/fetch-asset.js';
import { createFetchCache } from '../../lib/cache/http-cache.js';
import { createByteCache } from '../../lib/cache/lru.js';
import type { AssetPage } from '../../lib/contract/api/assets.js';
import type { TemplateAnswer, VersionAnswer } from '../../lib/contract/api/templates.js';
import type { Failure, FontAnswer } from '../../lib/contract/dashboard.js';
import { assetUrl } from '../../lib/contract/layers/asset-references.js';
import { RenderError } from '../../lib/errors.js';
import type { UserFont } from '../../lib/fonts/user-fonts.js';
import type { Fetched, FetchPolicy } from '../../lib/host.js';
import type { FontAsset } from '../../lib/templates/workspace-fonts.js';
import type { SavedTemplate } from './messages.js';

const API = '/dashboard/api/';
/** Milliseconds for which an answer of the server is reused. */
const FRESH_MS = 15_000;
/** Milliseconds for which a failed request is not repeated. */
const FAILED_MS = 5_000;
const MAX_FAILURES = 100;
/** Limit of the cache of pictures and fonts, in bytes. */
const MAX_FILE_BYTES = 64 * 2 ** 20;
/** Limit of the cache of JSON answers, in bytes. */
const MAX_ANSWER_BYTES = 8 * 2 ** 20;
/** Limits of one asset in milliseconds and bytes. The server's limits are lower or equal. */
const ASSET_TIMEOUT_MS = 30_000;
const MAX_ASSET_BYTES = 64 * 2 ** 20;
const PAGE_SIZE = 200;

export interface Remote {
  /** Forgets the workspace's assets if their version has changed. */
  expectAssets(version: number): void;
  fetchAsset(url: URL, policy: FetchPolicy): Promise<Fetched>;
  readAsset(id: string, signal: AbortSignal): Promise<AssetFile>;
  /** The fonts among the workspace's assets. */
  listFonts(signal: AbortSignal): Promise<readonly FontAsset[]>;
  /** The fonts of the server's FONTS_DIR. */
  readServerFonts(): Promise<readonly UserFont[]>;
  /** Finds a template's record. Throws RenderError `template_not_found`. */
  findRecord(template: SavedTemplate, signal: AbortSignal): Promise<unknown>;
}

interface Kept {
  readonly text: string;
  readonly staleAt: number;
}

export function createRemote(workspaceId: string): Remote {
  const workspace = `workspaces/${encodeURIComponent(workspaceId)}`;
  // a drag must not wait for the network every few seconds
  const fetchCache = createFetchCache(MAX_FILE_BYTES, { staleWhileRevalidate: true });
  const failures = new Map<string, { readonly error: RenderError; readonly until: number }>();
  const files = new WeakMap<Uint8Array, AssetFile>();
  let assetsVersion = 0;
  const answers = createByteCache<Kept>(MAX_ANSWER_BYTES, ({ text }) => 2 * text.length);

  /** Lets the server fetch the picture or font, by the same rules as for renders. */
  async function fetchThroughServer(url: string, init?: RequestInit): Promise<Response> {
    const query = new URLSearchParams({ workspace: workspaceId, url });
    const response = await fetch(`${API}asset?${query}`, init);
    if (response.ok) return response;
    const { code, error } = await failureOf(response);
    // the server fetched the file, but it is neither a picture nor a font and can't be drawn
    throw new RenderError(code === 'unsupported_media_type' ? 'render_failed' : 'asset_failed', error);
  }

  /**
   * Fetches a file and remembers failures, because a picture that its `fallbackColor` replaces is requested at every key
   * stroke.
   */
  async function fetchFile(url: URL, policy: FetchPolicy): Promise<Fetched> {
    const failed = failures.get(url.href);
    if (failed && failed.until > performance.now()) throw failed.error;
    failures.delete(url.href);
    try {
      return await fetchThroughCache(url, policy);
    } catch (error) {
      if (error instanceof RenderError) failures.set(url.href, { error, until: performance.now() + FAILED_MS });
      for (const oldest of failures.keys()) if (failures.size > MAX_FAILURES) failures.delete(oldest);
      throw error;
    }
  }

  async function fetchThroughCache(url: URL, policy: FetchPolicy): Promise<Fetched> {
    const fetchNow = async (signal: AbortSignal) => {
      const { bytes } = await fetchAsset(fetchThroughServer, url, { ...policy, signal });
      return { bytes, freshMs: FRESH_MS };
    };
    const bytes = await fetchCache.get(url, fetchNow, policy.signal ?? new AbortController().signal);
    return { bytes, freshMs: FRESH_MS };
  }

  /** Gets the answer of `path`. Versions never change; other answers are requested again after a while. */
  async function getJson<Answer>(path: string, signal: AbortSignal, isImmutable = false): Promise<Answer> {
    const name = isImmutable ? path : `${assetsVersion} ${path}`;
    const cached = answers.get(name);
    if (cached && cached.staleAt > performance.now()) return JSON.parse(cached.text);
    const response = await fetch(`${API}${workspace}/${path}`, { signal });
    if (!response.ok) {
      const { error } = await failureOf(response);
      throw new RenderError(response.status === 404 ? 'template_not_found' : 'asset_failed', error);
    }
    const text = await response.text();
    answers.set(name, { text, staleAt: isImmutable ? Number.POSITIVE_INFINITY : performance.now() + FRESH_MS });
    return JSON.parse(text);
  }

  async function publishedVersion(path: string, signal: AbortSignal): Promise<number> {
    const found = await getJson<TemplateAnswer>(path, signal).catch((error: RenderError) => {
      if (error.code === 'template_not_found') return undefined;
      throw error;
    });
    if (found && found.publishedVersion !== null) return found.publishedVersion;
    // the service says the same about other workspaces' templates and about drafts
    throw new RenderError('template_not_found', 'there is no published template with this id');
  }

  return {
    expectAssets(version) {
      if (assetsVersion !== version) failures.clear();
      assetsVersion = version;
    },
    fetchAsset: fetchFile,
    async readAsset(id, signal) {
      const policy = { timeoutMs: ASSET_TIMEOUT_MS, maxBytes: MAX_ASSET_BYTES, signal };
      const { bytes } = await fetchFile(new URL(assetUrl(id)), policy);
      const file = files.get(bytes) ?? new AssetFile(bytes);
      files.set(bytes, file);
      return file;
    },
    async listFonts(signal) {
      const fonts: FontAsset[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...(cursor !== '' && { cursor }) });
        const page: AssetPage = await getJson(`assets?${query}`, signal);
        fonts.push(...page.items.filter(({ kind }) => kind === 'font'));
        cursor = page.nextCursor;
      }
      return fonts;
    },
    async readServerFonts() {
      const { items }: { readonly items: readonly FontAnswer[] } = await (await getFrom('fonts')).json();
      const read = async (font: FontAnswer, n: number): Promise<UserFont> => {
        const response = await getFrom(`fonts/${n}`);
        return { ...font, bytes: new Uint8Array(await response.arrayBuffer()) };
      };
      return await Promise.all(items.map(read));
    },
    async findRecord({ id, version }, signal) {
      const path = `templates/${encodeURIComponent(id)}`;
      const wanted = version ?? (await publishedVersion(path, signal));
      const { record } = await getJson<VersionAnswer>(`${path}/versions/${wanted}`, signal, true);
      return record;
    },
  };
}

/** Gets a successful answer of the dashboard. Rejects with RenderError. */
async function getFrom(path: string): Promise<Response> {
  const response = await fetch(API + path);
  if (response.ok) return response;
  throw new RenderError('asset_failed', (await failureOf(response)).error);
}

async function failureOf(response: Response): Promise<Pick<Failure, 'code' | 'error'>> {
  const body: Partial<Failure> = await response.json().catch(() => ({}));
  const { code = 'unknown', error = `the server answered ${response.status}` } = body;
  return { code, error };
}

// The templates and the brand of a batch. What is published when the batch starts fills all of its rows, whatever is published,
// saved or deleted meanwhile.
import type { RenderRequest, TemplateRequest } from '../../contract/api/request.js';
import type { BrandStore, SettledRequest, TemplateStore } from '../../store/types.js';
import { findBrandOf } from '../operations/find-brand.js';
import { findTemplateOf } from '../operations/find-template.js';
import type { FoundBrand } from '../render/call.js';

export interface FoundTemplate {
  readonly record: unknown;
  readonly version: number;
}

/**
 * Length of the records in memory, as JSON: the items of a batch may name a thousand templates of 4 MiB each. The others are
 * read again, which fails once the template is deleted.
 */
const MAX_CACHED_LENGTH = 16 * 2 ** 20;

type Store = Pick<TemplateStore, 'findTemplate'> & Pick<BrandStore, 'findBrand'>;

export class BatchTemplates {
  readonly #workspaceId: string;
  readonly #store: Store;
  /** The brand, once a row has asked for it. */
  #brand: Promise<FoundBrand | undefined> | undefined;
  /** The version that renders of a template use, by its id. */
  readonly #published = new Map<string, number>();
  /** Templates by id and version, oldest first. */
  readonly #cache = new Map<string, FoundTemplate & { readonly length: number }>();
  #cachedLength = 0;

  constructor(workspaceId: string, store: Store) {
    this.#workspaceId = workspaceId;
    this.#store = store;
  }

  /** The template that `request` names, in `settledVersion` if an earlier batch was charged for it. Throws as renders do. */
  async find(
    request: Pick<TemplateRequest, 'templateId' | 'templateVersion'>,
    settledVersion?: number,
  ): Promise<FoundTemplate> {
    const { templateId, templateVersion } = request;
    const version = settledVersion ?? templateVersion ?? this.#published.get(templateId);
    const cached = this.#cache.get(`${templateId} ${version}`);
    if (cached) return cached;
    const found = await findTemplateOf(
      { templateId, templateVersion, size: undefined },
      this.#workspaceId,
      this.#store,
      version,
    );
    if (version === undefined) this.#published.set(templateId, found.version);
    this.#add(`${templateId} ${found.version}`, found);
    return found;
  }

  /** The brand of the workspace, in the version that an earlier batch was charged for, if `settled`. Throws as renders do. */
  async findBrand(settled: SettledRequest | undefined): Promise<FoundBrand | undefined> {
    if (settled) return await findBrandOf(this.#workspaceId, this.#store, settled);
    this.#brand ??= findBrandOf(this.#workspaceId, this.#store);
    return await this.#brand;
  }

  /** Looks up what the requests fill. A template that is not found, or can't be read, fails its rows when they are drawn. */
  async prefetch(requests: Iterable<RenderRequest>): Promise<void> {
    const named = new Map<string, TemplateRequest>();
    for (const request of requests) {
      if (request.kind === 'template') named.set(`${request.templateId} ${request.templateVersion}`, request);
    }
    for (const request of named.values()) await this.find(request).catch(() => undefined);
  }

  #add(name: string, { record, version }: FoundTemplate): void {
    if (this.#cache.has(name)) return;
    const { length } = JSON.stringify(record);
    this.#cache.set(name, { record, version, length });
    this.#cachedLength += length;
    for (const [oldest, { length: freed }] of this.#cache) {
      if (this.#cachedLength <= MAX_CACHED_LENGTH || oldest === name) return;
      this.#cache.delete(oldest);
      this.#cachedLength -= freed;
    }
  }
}

// The templates of a batch. What is published when the batch starts fills all of its rows, whatever is published meanwhile.
import type { TemplateRequest } from '../../contract/api/request.js';
import type { TemplateStore } from '../../store/types.js';
import { findTemplateOf } from '../operations/render.js';

export interface FoundTemplate {
  readonly record: unknown;
  readonly version: number;
}

/** Records that are kept: the items of a batch may name a thousand templates of 4 MiB each. */
const MAX_KEPT = 4;

export class BatchTemplates {
  readonly #workspaceId: string;
  readonly #store: Pick<TemplateStore, 'findTemplate'>;
  /** The version that renders of a template use, by its id. */
  readonly #published = new Map<string, number>();
  readonly #kept = new Map<string, FoundTemplate>();

  constructor(workspaceId: string, store: Pick<TemplateStore, 'findTemplate'>) {
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
    const kept = this.#kept.get(`${templateId} ${version}`);
    if (kept) return kept;
    const found = await findTemplateOf(
      { templateId, templateVersion, size: undefined },
      this.#workspaceId,
      this.#store,
      version,
    );
    if (version === undefined) this.#published.set(templateId, found.version);
    this.#kept.set(`${templateId} ${found.version}`, found);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(oldest);
    return found;
  }
}

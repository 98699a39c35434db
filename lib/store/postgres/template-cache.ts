// Templates' records that were read before, parsed. A record never changes under its id, so it is kept; whether the
// template is there, and whose it is, is asked of the database every time.

/** Characters of JSON that are kept at most. */
const MAX_TEXT = 32 * 2 ** 20;

interface Kept {
  readonly record: unknown;
  readonly length: number;
}

export class TemplateCache {
  /** Ordered by use: the one not used for longest stands first. */
  readonly #kept = new Map<string, Kept>();
  readonly #most: number;
  #length = 0;

  constructor(most = MAX_TEXT) {
    this.#most = most;
  }

  has(id: string): boolean {
    return this.#kept.has(id);
  }

  /** The record of `text`, or the one that is kept when `text` is null; undefined when it has been dropped meanwhile. */
  getOrParse(id: string, text: string | null): unknown {
    const known = this.#kept.get(id);
    if (known) this.#drop(id, known);
    const kept = text === null ? known : { record: JSON.parse(text) as unknown, length: text.length };
    if (kept && kept.length <= this.#most) {
      this.#kept.set(id, kept);
      this.#length += kept.length;
    }
    for (const [oldest, { length }] of this.#kept) {
      if (this.#length <= this.#most) break;
      this.#drop(oldest, { length });
    }
    return kept?.record;
  }

  #drop(id: string, { length }: { readonly length: number }): void {
    this.#kept.delete(id);
    this.#length -= length;
  }
}

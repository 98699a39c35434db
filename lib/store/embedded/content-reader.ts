// Reads the files of a content folder, with a cache of decoded contents. While a content is cached, all callers get the same
// object: the service computes the digest of each object once.
import { createByteCache } from '../../cache/lru.js';
import { SingleFlight } from '../../cache/single-flight.js';
import { ServiceError } from '../../errors.js';
import { type ContentFolder, DamagedContent } from './content-folder.js';

export interface ContentReaderOptions<Value> {
  /** Word for a content in messages: `template`. */
  readonly noun: string;
  readonly decode: (content: Buffer) => Value;
  readonly warn: (message: string) => void;
}

/** Bytes of files whose decoded contents are cached. */
const MAX_CACHED_BYTES = 32 * 2 ** 20;

export class ContentReader<Value> {
  readonly folder: ContentFolder;
  readonly #options: ContentReaderOptions<Value>;
  readonly #cache = createByteCache<{ readonly value: Value; readonly bytes: number }>(
    MAX_CACHED_BYTES,
    ({ bytes }) => bytes,
  );
  readonly #reads = new SingleFlight<Value>({ keepResults: false });
  /** Files that the last attempt could not read. Each is warned about once. */
  readonly #damaged = new Set<string>();

  constructor(folder: ContentFolder, options: ContentReaderOptions<Value>) {
    this.folder = folder;
    this.#options = options;
  }

  /**
   * Reads the content with the digest that `find` returns; undefined when it returns none. Throws RenderError
   * `storage_unavailable` when the file is damaged, unless `find` returns another digest meanwhile.
   */
  async read(find: () => string | undefined): Promise<Value | undefined> {
    for (;;) {
      const digest = find();
      if (digest === undefined) return undefined;
      try {
        return this.#cache.get(digest)?.value ?? (await this.#reads.run(digest, () => this.#readFile(digest)));
      } catch (cause) {
        if (!(cause instanceof DamagedContent)) throw cause;
        // Its last reference may have been removed meanwhile.
        if (find() !== digest) continue;
        this.#warnOnce(digest, cause);
        throw new ServiceError(
          'storage_unavailable',
          `storage is unavailable: the ${this.#options.noun} can’t be read`,
          {
            cause,
          },
        );
      }
    }
  }

  async #readFile(digest: string): Promise<Value> {
    const content = await this.folder.read(digest);
    const value = this.#options.decode(content);
    this.#cache.set(digest, { value, bytes: content.length });
    this.#damaged.delete(digest);
    return value;
  }

  #warnOnce(digest: string, { message }: DamagedContent): void {
    if (this.#damaged.has(digest)) return;
    this.#damaged.add(digest);
    this.#options.warn(`${message}; take it from a backup of yours, or save the ${this.#options.noun} again`);
  }
}

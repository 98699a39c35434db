// Sends each asset to a worker process once. The parent decides what the worker holds, so that both agree: it lists what
// the worker has got, and tells it what to drop. The list and the held assets end with their process.
import { AssetFile } from '../assets/asset-file.js';
import type { AssetError, FetchedAsset } from '../assets/loader.js';
import { withAssetUrls } from '../contract/layers/asset-references.js';
import { mapLayers } from '../contract/layers/nested-layers.js';
import type { Job, JobMessage } from './job.js';

/** Bytes of assets that a worker holds between jobs: more than the largest asset that is allowed by default. */
const MAX_HELD_BYTES = 32 * 2 ** 20;
/** Bytes that an asset counts beside its own. */
const ENTRY_BYTES = 1024;

/** The parent's side: the digests of the assets that one worker holds. */
export class AssetLedger {
  /** Bytes by digest, the least recently used first. */
  readonly #held = new Map<string, number>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = MAX_HELD_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The message that hands `job` to the worker. The worker must receive every message, in this order. */
  pack({ scene, assets, ...rest }: Job, kind: JobMessage['kind'] = 'render'): JobMessage {
    const keys = new Map<string, string>();
    const references = new Map<string, string | AssetError>();
    const added = new Map<string, Uint8Array>();
    for (const [url, asset] of assets) {
      const key = `asset:${keys.size}`;
      keys.set(url, key);
      references.set(key, 'file' in asset ? asset.digest : asset);
      if (!('file' in asset)) continue;
      const { digest, file } = asset;
      if (this.#hold(digest, file.bytes.length)) added.set(digest, file.bytes);
    }
    // a `data:` URL may be megabytes, and its data is sent apart
    const layers = mapLayers(scene.layers, (layer) => withAssetUrls(layer, (url) => keys.get(url) ?? url));
    const familyFiles = scene.familyFiles?.map((file) => ({ ...file, url: keys.get(file.url) ?? file.url }));
    return {
      kind,
      ...rest,
      scene: { ...scene, layers, ...(familyFiles && { familyFiles }), assetUrls: [] },
      assets: references,
      added,
      dropped: this.#evict(),
    };
  }

  /** Marks the asset as the one that was used last; whether the worker lacks it. */
  #hold(digest: string, bytes: number): boolean {
    const isNew = !this.#held.delete(digest);
    const size = bytes + ENTRY_BYTES;
    this.#held.set(digest, size);
    if (isNew) this.#bytes += size;
    return isNew;
  }

  #evict(): string[] {
    const dropped: string[] = [];
    for (const [digest, size] of this.#held) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#held.delete(digest);
      this.#bytes -= size;
      dropped.push(digest);
    }
    return dropped;
  }
}

/** The worker's side: the assets that it holds between jobs. */
export class AssetCache {
  readonly #held = new Map<string, Uint8Array>();

  /** Bytes that it holds. */
  get bytes(): number {
    return [...this.#held.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** The job of a message from the ledger of this process. */
  unpack({ kind: _, assets: references, added, dropped, ...rest }: JobMessage): Job {
    // copied: what arrives is a view into the buffer of the whole message
    for (const [digest, bytes] of added) this.#held.set(digest, new Uint8Array(bytes));
    const assets = new Map<string, FetchedAsset>();
    for (const [key, reference] of references) assets.set(key, this.#resolve(reference));
    for (const digest of dropped) this.#held.delete(digest);
    return { ...rest, assets };
  }

  #resolve(reference: string | AssetError): FetchedAsset {
    if (typeof reference !== 'string') return reference;
    const bytes = this.#held.get(reference);
    if (!bytes) throw new Error(`the process does not hold the asset ${reference}`);
    return { file: new AssetFile(bytes, reference), digest: reference };
  }
}

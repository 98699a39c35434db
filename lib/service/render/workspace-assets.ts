// The pictures and fonts of workspaces, for their renders: read from the store, and kept by their content, which never
// changes. That an asset exists and belongs to the workspace is asked of the store every time.
import { AssetFile } from '../../assets/asset-file.js';
import { createByteCache } from '../../cache/lru.js';
import { SingleFlight } from '../../cache/single-flight.js';
import { type CodedError, RenderError } from '../../errors.js';
import type { AssetStore, StoredAsset } from '../../store/types.js';
import type { Scene } from '../../templates/scene.js';
import { type FontPlace, matchFonts, placesOfUnknownFamily } from '../../templates/workspace-fonts.js';
import type { MemoryBudget } from '../admission/memory-budget.js';

/** Bytes of assets that stay in memory between renders: more than the largest asset that is allowed by default. */
const CACHE_BYTES = 32 * 2 ** 20;

export interface WorkspaceAssetsOptions {
  readonly store: Pick<AssetStore, 'findAsset' | 'readAsset' | 'listFontAssets'>;
  /** Bounds what is read at once. */
  readonly memoryBudget: MemoryBudget;
  /** Families that need no asset, besides the bundled ones. */
  readonly userFamilies: readonly string[];
}

export interface WorkspaceAssets {
  /** Throws RenderError: `asset_failed` when the workspace has no such asset, `storage_unavailable`, or `overloaded`. */
  read(workspaceId: string, id: string, signal: AbortSignal): Promise<AssetFile>;
  /**
   * The URLs of the workspace's fonts for those layers and spans whose family is neither bundled nor the operator's. Those
   * whose family the workspace lacks too are left out.
   */
  findFonts(workspaceId: string, scene: Scene): Promise<ReadonlyMap<FontPlace, string>>;
}

export function createWorkspaceAssets(options: WorkspaceAssetsOptions): WorkspaceAssets {
  const { store, memoryBudget, userFamilies } = options;
  const files = createByteCache<AssetFile>(CACHE_BYTES, ({ bytes }) => bytes.length);
  const flights = new SingleFlight<AssetFile>({ keepResults: false });

  async function readFile({ workspaceId, id, bytes, sha256 }: StoredAsset): Promise<AssetFile> {
    const reservation = memoryBudget.open(workspaceId);
    try {
      reservation.reserve(bytes);
      const content = await store.readAsset(workspaceId, id);
      if (!content) throw noAsset(id);
      const file = new AssetFile(content, sha256);
      files.set(sha256, file);
      return file;
    } finally {
      reservation.release();
    }
  }

  return {
    async read(workspaceId, id, signal) {
      const asset = await store.findAsset(workspaceId, id);
      if (!asset) throw noAsset(id);
      return files.get(asset.sha256) ?? flights.run(`${workspaceId} ${id}`, () => readFile(asset), signal);
    },
    async findFonts(workspaceId, scene) {
      const places = placesOfUnknownFamily(scene, userFamilies);
      return places.length === 0 ? new Map() : matchFonts(places, await store.listFontAssets(workspaceId));
    },
  };
}

function noAsset(id: string): CodedError {
  return new RenderError('asset_failed', `the workspace has no asset ${id}`);
}

// The searchable list of the workspace's pictures and fonts, newest first, for the library and pickers.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { AssetAnswer } from '../../../lib/contract/api/assets.js';
import { useAllPages } from '../../app/query.js';
import { inWorkspace } from '../../app/session.js';
import { Empty, Loaded, Skeleton } from '../../ui/feedback.js';
import { TextField } from '../../ui/field.js';
import { Thumbnail } from '../../ui/thumbnail.js';
import { assetName, isFound, previewOf } from './asset-layers.js';
import { libraryChanges } from './uploads.js';
import { ASSET_DRAG } from './use-file-drop.js';

export interface AssetListProps {
  /** Limits the list to one kind. */
  readonly kind?: AssetAnswer['kind'];
  /** The verb for choosing an asset, said with its name: "Use". */
  readonly verb: string;
  readonly onChoose: (asset: AssetAnswer) => void;
  /** Buttons beside each asset. */
  readonly actions?: (asset: AssetAnswer) => ComponentChildren;
  readonly emptyText: string;
}

export function AssetList({ kind, verb, onChoose, actions, emptyText }: AssetListProps) {
  const assets = useAllPages<AssetAnswer>(inWorkspace('assets?limit=200'));
  const [search, setSearch] = useState('');
  const changes = libraryChanges.value;
  const [seen, setSeen] = useState(changes);
  useEffect(() => {
    if (seen === changes) return;
    setSeen(changes);
    void assets.reload();
  }, [changes, seen]);
  return (
    <Loaded
      query={{ data: assets.items, error: assets.error, reload: assets.reload }}
      loading={<Skeleton height="8rem" />}
    >
      {(items) => {
        const own = items.filter((asset) => kind === undefined || asset.kind === kind);
        const found = own.filter((asset) => isFound(asset, search));
        if (own.length === 0) {
          return (
            <Empty icon="image" title="Nothing uploaded yet">
              {emptyText}
            </Empty>
          );
        }
        return (
          <>
            <TextField
              label="Find asset"
              isLabelHidden
              type="search"
              placeholder="Find asset"
              value={search}
              onInput={setSearch}
            />
            {found.length === 0 && <p class="faint">Nothing has “{search}”.</p>}
            <ul class="asset-grid">
              {found.map((asset) => (
                <li key={asset.id} class="asset">
                  <button
                    type="button"
                    class="asset-tile"
                    aria-label={`${verb} ${assetName(asset)}`}
                    title={asset.id}
                    draggable={asset.kind === 'image'}
                    onDragStart={(event) => event.dataTransfer?.setData(ASSET_DRAG, JSON.stringify(asset))}
                    onClick={() => onChoose(asset)}
                  >
                    <span class="asset-picture">
                      <Thumbnail source={{ payload: previewOf(asset) }} name={`asset ${asset.id}`} size="small" />
                    </span>
                    <span class="asset-name">{assetName(asset)}</span>
                  </button>
                  {actions?.(asset)}
                </li>
              ))}
            </ul>
          </>
        );
      }}
    </Loaded>
  );
}

// The panel Assets: the workspace's pictures and fonts, to use in layers, to add and to delete.
import { useRef, useState } from 'preact/hooks';
import type { AssetAnswer } from '../../../lib/contract/api/assets.js';
import type { TemplateAnswer } from '../../../lib/contract/api/templates.js';
import { toast } from '../../app/announce.js';
import { ApiError, api } from '../../app/api.js';
import { useQuery } from '../../app/query.js';
import { inWorkspace } from '../../app/session.js';
import type { OpenEditor } from '../../canvas/open-editor.js';
import { Button, IconButton } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { applyAsset } from './add-files.js';
import { ASSET_TYPES, assetName } from './asset-layers.js';
import { AssetList } from './asset-list.js';
import { UploadList } from './upload-list.js';
import { libraryChanged, uploadFiles } from './uploads.js';

export function AssetsPanel({ editor }: { readonly editor: OpenEditor }) {
  const { canEdit } = editor;
  const input = useRef<HTMLInputElement>(null);
  const [deleted, setDeleted] = useState<AssetAnswer>();
  const upload = async (files: readonly File[]) => {
    await uploadFiles(files);
    // a text may name a font that was missing before
    editor.preview.redraw();
  };
  return (
    <div class="assets-panel">
      {canEdit && (
        <>
          <Button size="small" icon="upload" onClick={() => input.current?.click()}>
            Upload files
          </Button>
          <input
            ref={input}
            type="file"
            multiple
            hidden
            accept={ASSET_TYPES}
            aria-label="Pictures and fonts"
            onChange={({ currentTarget }) => {
              void upload([...(currentTarget.files ?? [])]);
              currentTarget.value = '';
            }}
          />
        </>
      )}
      <UploadList />
      <AssetList
        verb="Use"
        emptyText="Drop pictures and fonts here, paste a picture, or upload files."
        onChoose={(asset) => {
          if (!canEdit) return;
          applyAsset(editor, asset);
        }}
        {...(canEdit && {
          actions: (asset: AssetAnswer) => (
            <IconButton
              icon="trash"
              size="small"
              class="asset-delete"
              label={`Delete ${assetName(asset)}`}
              onClick={() => setDeleted(asset)}
            />
          ),
        })}
      />
      {deleted && <DeleteAsset asset={deleted} onClose={() => setDeleted(undefined)} />}
    </div>
  );
}

interface DeleteAssetProps {
  readonly asset: AssetAnswer;
  readonly onClose: () => void;
}

/** Asks first; asks again, with their names, if templates use the asset. */
function DeleteAsset({ asset, onClose }: DeleteAssetProps) {
  const [users, setUsers] = useState<readonly string[]>();
  const remove = async () => {
    const path = `assets/${encodeURIComponent(asset.id)}${users ? '?force=true' : ''}`;
    try {
      await api.delete(inWorkspace(path));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'asset_in_use') throw error;
      setUsers(error.templates);
      return;
    }
    libraryChanged();
    toast(`${assetName(asset)} deleted`);
    onClose();
  };
  return (
    <ConfirmDialog
      title="Delete asset"
      confirm={users ? 'Delete anyway' : 'Delete'}
      isDanger
      onConfirm={remove}
      onClose={onClose}
    >
      {users ? (
        <>
          <p>These templates use it; without it, their renders fail:</p>
          <ul>
            {users.map((id) => (
              <li key={id}>
                <TemplateName id={id} />
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p>
          Delete <strong>{assetName(asset)}</strong> from the workspace?
        </p>
      )}
    </ConfirmDialog>
  );
}

function TemplateName({ id }: { readonly id: string }) {
  const template = useQuery<TemplateAnswer>(inWorkspace(`templates/${encodeURIComponent(id)}`));
  return <a href={`/dashboard/templates/${encodeURIComponent(id)}`}>{template.data?.name ?? id}</a>;
}

// Buttons beside a picture's URL that choose a picture of the workspace, or upload one.
import { useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { assetUrl, PICTURE_TYPES } from './asset-layers.js';
import { AssetList } from './asset-list.js';
import { UploadList } from './upload-list.js';
import { uploadFiles } from './uploads.js';

export interface PictureButtonsProps {
  /** Label of the field. */
  readonly label: string;
  readonly canUpload: boolean;
  readonly onChoose: (url: string) => void;
}

export function PictureButtons({ label, canUpload, onChoose }: PictureButtonsProps) {
  const [isOpen, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const upload = async (files: FileList | null) => {
    const [added] = await uploadFiles([...(files ?? [])].slice(0, 1));
    if (added?.asset.kind === 'image') onChoose(assetUrl(added.asset));
  };
  return (
    <div class="picture-buttons">
      <Button
        size="small"
        kind="quiet"
        icon="image"
        aria-label={`Choose ${label} from library`}
        onClick={() => setOpen(true)}
      >
        Library
      </Button>
      {canUpload && (
        <>
          <Button
            size="small"
            kind="quiet"
            icon="upload"
            aria-label={`Upload ${label}`}
            onClick={() => input.current?.click()}
          >
            Upload
          </Button>
          <input
            ref={input}
            type="file"
            hidden
            accept={PICTURE_TYPES}
            aria-label={`File for ${label}`}
            onChange={({ currentTarget }) => {
              void upload(currentTarget.files);
              currentTarget.value = '';
            }}
          />
        </>
      )}
      {isOpen && (
        <Dialog title={`Choose ${label}`} size="medium" onClose={() => setOpen(false)}>
          <UploadList />
          <AssetList
            kind="image"
            verb="Choose"
            emptyText="Pictures that are uploaded in the editor or by the API are here."
            onChoose={(asset) => {
              onChoose(assetUrl(asset));
              setOpen(false);
            }}
          />
        </Dialog>
      )}
    </div>
  );
}

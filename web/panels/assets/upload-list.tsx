// Lists the uploads in progress, and those that failed with the reason.
import { IconButton } from '../../ui/button.js';
import { uploads } from './upload-state.js';
import { dismissUpload } from './uploads.js';

export function UploadList() {
  const list = uploads.value;
  if (list.length === 0) return null;
  return (
    <ul class="uploads" aria-label="Uploads">
      {list.map(({ id, name, share, error }) => (
        <li key={id} class="upload">
          <span class="upload-name">{name}</span>
          <IconButton
            icon="close"
            size="small"
            label={error === undefined ? `Stop uploading ${name}` : `Dismiss ${name}`}
            onClick={() => dismissUpload(id)}
          />
          {error === undefined ? (
            <progress class="upload-progress" value={share} max={1} aria-label={`Uploading ${name}`} />
          ) : (
            <p class="field-error">{error}</p>
          )}
        </li>
      ))}
    </ul>
  );
}

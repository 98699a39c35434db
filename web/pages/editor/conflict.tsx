// The dialog for a conflict: somebody else saved a version meanwhile. It shows both sides and the choices.
import type { TemplateAnswer } from '../../../lib/contract/api/templates.js';
import type { OpenEditor } from '../../canvas/open-editor.js';
import { written } from '../../document/text.js';
import { DrawnPicture } from '../../panels/versions/drawn-picture.js';
import { type Drawn, usePictures } from '../../panels/versions/use-pictures.js';
import { SideBySide } from '../../preview/side-by-side.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { DateTime } from '../../ui/value.js';

export interface ConflictProps {
  readonly editor: OpenEditor;
  readonly theirs: TemplateAnswer;
  readonly isBusy: boolean;
  readonly onKeepYours: () => void;
  readonly onTakeTheirs: () => void;
  readonly onClose: () => void;
}

export function Conflict({ editor, theirs, isBusy, onKeepYours, onTakeTheirs, onClose }: ConflictProps) {
  const { engine, variables, store } = editor;
  const { record, size } = store.document.value;
  const drawn = usePictures({ engine, left: record, right: theirs.record, variables: variables.value, size });
  return (
    <Dialog
      title={`Version ${theirs.version} was saved meanwhile`}
      size="large"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button onClick={onTakeTheirs}>Take theirs</Button>
          <Button kind="primary" isBusy={isBusy} onClick={onKeepYours}>
            Save yours
          </Button>
        </>
      }
    >
      <p class="conflict-note">
        Somebody saved this template <DateTime value={theirs.updatedAt} form="ago" />. Saving yours makes the next
        version; theirs stays among the versions.
      </p>
      <SideBySide left={side('Yours', record, drawn?.[0])} right={side('Theirs', theirs.record, drawn?.[1])} />
    </Dialog>
  );
}

const side = (title: string, record: object, drawn: Drawn | undefined) => ({
  title,
  text: written(record),
  picture: <DrawnPicture drawn={drawn} label={`Picture: ${title}`} />,
});

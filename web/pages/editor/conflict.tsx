// Somebody else saved a version meanwhile: both sides, and what to do.
import type { TemplateAnswer } from '../../../lib/contract/api/templates.js';
import { SideBySide } from '../../preview/side-by-side.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { DateTime } from '../../ui/value.js';
import { written } from './template-text.js';

export interface ConflictProps {
  readonly text: string;
  readonly theirs: TemplateAnswer;
  readonly isBusy: boolean;
  readonly onKeepYours: () => void;
  readonly onTakeTheirs: () => void;
  readonly onClose: () => void;
}

export function Conflict({ text, theirs, isBusy, onKeepYours, onTakeTheirs, onClose }: ConflictProps) {
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
      <SideBySide left={{ title: 'Yours', text }} right={{ title: 'Theirs', text: written(theirs.record) }} />
    </Dialog>
  );
}

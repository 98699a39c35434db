// Shows an operator's sign-in link, which the server reveals once.
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Alert } from '../../ui/feedback.js';
import { CopyField } from '../../ui/value.js';

export interface SignInLinkProps {
  readonly name: string;
  readonly link: string;
  readonly onClose: () => void;
}

export function SignInLink({ name, link, onClose }: SignInLinkProps) {
  return (
    <Dialog
      title={`Sign-in link for ${name}`}
      size="medium"
      isShownOnce
      onClose={onClose}
      footer={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div class="stack">
        <Alert kind="warning">
          Copy it now: it is not shown again. It works once, for 15 minutes, for whoever has it.
        </Alert>
        <CopyField label="Sign-in link" value={link} hint={`Send it to ${name}, who sets a password with it.`} />
      </div>
    </Dialog>
  );
}

// The dialog of **Grant credits**.
import { useState } from 'preact/hooks';
import type { GrantBody } from '../../../lib/contract/dashboard.js';
import { toast } from '../../app/announce.js';
import { api } from '../../app/api.js';
import { formatCount } from '../../app/format.js';
import { inWorkspace, workspace } from '../../app/session.js';
import { FormDialog } from '../../ui/dialog.js';
import { TextField } from '../../ui/field.js';

export interface GrantCreditsProps {
  readonly onClose: () => void;
  /** Receives the new balance. */
  readonly onGranted: (balance: number) => Promise<void>;
}

export function GrantCredits({ onClose, onGranted }: GrantCreditsProps) {
  const [text, setText] = useState('');
  const amount = amountOf(text);
  const isMalformed = text.trim() !== '' && amount === undefined;
  return (
    <FormDialog
      title="Grant credits"
      confirm="Grant credits"
      isReady={amount !== undefined}
      onClose={onClose}
      onConfirm={async () => {
        if (amount === undefined) return;
        const body: GrantBody = { amount };
        const { balance } = await api.post<{ readonly balance: number }>(inWorkspace('credits'), body);
        toast(`${formatCount(amount, 'credit')} granted`);
        await onGranted(balance);
      }}
    >
      <TextField
        label="Amount"
        inputMode="numeric"
        autofocus
        value={text}
        onInput={setText}
        hint={`Credits for ${workspace.value?.name ?? 'the workspace'}, at once.`}
        error={isMalformed ? 'A whole number of at least 1' : undefined}
      />
    </FormDialog>
  );
}

/** Parses a whole number of at least 1, with or without separators; undefined for anything else. */
function amountOf(text: string): number | undefined {
  const digits = text.replace(/[\s,.’_]/g, '');
  const amount = Number(digits);
  return /^\d{1,15}$/.test(digits) && amount >= 1 ? amount : undefined;
}

// The dialog of **Create operator**.
import { useState } from 'preact/hooks';
import type { OperatorAnswer, OperatorBody, OperatorRole } from '../../../lib/contract/dashboard.js';
import { api } from '../../app/api.js';
import { session } from '../../app/session.js';
import { FormDialog } from '../../ui/dialog.js';
import { Checkbox, FieldGroup, SelectField, TextField } from '../../ui/field.js';

const ROLES = [
  { value: 'owner', label: 'Owner' },
  { value: 'editor', label: 'Editor' },
  { value: 'viewer', label: 'Viewer' },
] as const;

const HINTS: Readonly<Record<OperatorRole, string>> = {
  owner: 'All workspaces, credits and operators.',
  editor: 'Templates, keys and the playground of their workspaces.',
  viewer: 'Reads what their workspaces have.',
};

export interface CreateOperatorProps {
  readonly onClose: () => void;
  readonly onCreated: (name: string, link: string) => Promise<void>;
}

export function CreateOperator({ onClose, onCreated }: CreateOperatorProps) {
  const workspaces = session.value?.workspaces ?? [];
  const [name, setName] = useState('');
  const [role, setRole] = useState<OperatorRole>('editor');
  const [isEverywhere, setEverywhere] = useState(true);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const isLimited = role !== 'owner' && !isEverywhere;
  const isReady = name.trim() !== '' && !(isLimited && chosen.size === 0);
  return (
    <FormDialog
      title="Create operator"
      confirm="Create operator"
      isReady={isReady}
      onClose={onClose}
      onConfirm={async () => {
        const body: OperatorBody = { name: name.trim(), role, workspaces: isLimited ? [...chosen] : null };
        const created = await api.post<OperatorAnswer & { readonly link: string }>('operators', body);
        await onCreated(created.name, created.link);
      }}
    >
      <TextField label="Name" autofocus value={name} onInput={setName} maxLength={100} />
      <SelectField
        label="Role"
        value={role}
        options={ROLES}
        hint={HINTS[role]}
        onChange={(value) => setRole(value as OperatorRole)}
      />
      {role !== 'owner' && (
        <FieldGroup legend="Workspaces" error={isLimited && chosen.size === 0 ? 'Choose one or more.' : undefined}>
          <Checkbox
            label="All workspaces"
            hint="Those of the future too."
            checked={isEverywhere}
            onChange={setEverywhere}
          />
          {!isEverywhere &&
            workspaces.map((workspace) => (
              <Checkbox
                key={workspace.id}
                label={workspace.name}
                checked={chosen.has(workspace.id)}
                onChange={(isChosen) => setChosen(changed(chosen, workspace.id, isChosen))}
              />
            ))}
        </FieldGroup>
      )}
    </FormDialog>
  );
}

function changed(chosen: ReadonlySet<string>, id: string, isChosen: boolean): ReadonlySet<string> {
  const next = new Set(chosen);
  if (isChosen) next.add(id);
  else next.delete(id);
  return next;
}

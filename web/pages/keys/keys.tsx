// Keys: the workspace's API keys.
import { useState } from 'preact/hooks';
import type { Scope } from '../../../lib/contract/api/operations/operation.js';
import type { KeyAnswer, KeyBody } from '../../../lib/contract/dashboard.js';
import { api } from '../../app/api.js';
import { formatCount } from '../../app/format.js';
import { inWorkspace } from '../../app/session.js';
import { Badge } from '../../ui/badge.js';
import { FormDialog } from '../../ui/dialog.js';
import { Checkbox, FieldGroup, TextField } from '../../ui/field.js';
import type { Column } from '../../ui/table.js';
import { Code } from '../../ui/value.js';
import { type CreateProps, KeyPage } from './key-page.js';

type Created = KeyAnswer & { readonly key: string };

/** Scopes with their descriptions, in the order of the dialog. */
const SCOPES: readonly { readonly scope: Scope; readonly hint: string; readonly isDefault?: boolean }[] = [
  { scope: 'render:write', hint: 'Render images.', isDefault: true },
  { scope: 'render:read', hint: 'Read the render log.' },
  { scope: 'batch:write', hint: 'Render many images with one request.' },
  { scope: 'templates:read', hint: 'Read templates and assets.' },
  { scope: 'templates:write', hint: 'Create, change and delete templates and assets.' },
];

const COLUMNS: readonly Column<KeyAnswer>[] = [
  {
    name: 'Prefix',
    cell: ({ prefix }) => (prefix ? <Code>{prefix}</Code> : <span class="faint">unknown</span>),
    skeleton: '9rem',
  },
  { name: 'Scopes', cell: ({ scopes }) => <Scopes scopes={scopes} />, skeleton: '7rem', isMinor: true },
];

export default function Keys() {
  return (
    <KeyPage<KeyAnswer, Created>
      title="Keys"
      description="Programs render with an API key. It is shown once, when it is made."
      path="keys"
      noun="key"
      icon="key"
      purpose="A key lets a program render images, and charges them to this workspace."
      columns={COLUMNS}
      use="Requests"
      Create={CreateKey}
      secretOf={({ name, key }) => ({
        label: `Key ${name}`,
        value: key,
        warning: 'Copy it now: it is stored as a hash, and can’t be shown again.',
      })}
      consequence={({ name, requests }) => (
        <>
          Requests with <strong>{name}</strong> fail with 401 from then on. This can’t be undone.
          {requests > 0 && ` It sent ${formatCount(requests, 'request')} in the last 24 hours.`}
        </>
      )}
    />
  );
}

function Scopes({ scopes }: { readonly scopes: readonly Scope[] }) {
  if (scopes.length === SCOPES.length) return <span class="nowrap">All scopes</span>;
  return (
    <span class="badges">
      {scopes.map((scope) => (
        <Badge key={scope}>{scope}</Badge>
      ))}
    </span>
  );
}

function CreateKey({ onClose, onCreated }: CreateProps<Created>) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(
    SCOPES.filter(({ isDefault }) => isDefault).map(({ scope }) => scope),
  );
  const toggle = (scope: Scope, isOn: boolean) =>
    setScopes(SCOPES.map((known) => known.scope).filter((known) => (known === scope ? isOn : scopes.includes(known))));
  return (
    <FormDialog
      title="Create key"
      confirm="Create key"
      isReady={name.trim() !== '' && scopes.length > 0}
      onClose={onClose}
      onConfirm={async () => {
        const body: KeyBody = { name: name.trim(), scopes };
        onCreated(await api.post<Created>(inWorkspace('keys'), body));
      }}
    >
      <TextField
        label="Name"
        required
        maxLength={100}
        placeholder="Web shop, production"
        hint="What the key is for; only people see it."
        value={name}
        onInput={setName}
      />
      <FieldGroup legend="Scopes" error={scopes.length === 0 ? 'Choose one or more.' : undefined}>
        {SCOPES.map(({ scope, hint }) => (
          <Checkbox
            key={scope}
            label={<code>{scope}</code>}
            hint={hint}
            checked={scopes.includes(scope)}
            onChange={(isOn) => toggle(scope, isOn)}
          />
        ))}
      </FieldGroup>
    </FormDialog>
  );
}

// Keys: the workspace's API keys, making one, and revoking one.
import { useState } from 'preact/hooks';
import type { Scope } from '../../../lib/contract/api/operations/operation.js';
import type { KeyAnswer, KeyBody } from '../../../lib/contract/dashboard.js';
import { announce, toast } from '../../app/announce.js';
import { api } from '../../app/api.js';
import { formatCount, formatNumber } from '../../app/format.js';
import { useQuery } from '../../app/query.js';
import { canEdit, inWorkspace } from '../../app/session.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog, Dialog, FormDialog } from '../../ui/dialog.js';
import { Alert, Empty, Failed } from '../../ui/feedback.js';
import { Checkbox, FieldGroup, Segmented, TextField } from '../../ui/field.js';
import { Page } from '../../ui/page.js';
import { type Column, Table } from '../../ui/table.js';
import { Code, CopyField, DateTime } from '../../ui/value.js';

type Created = KeyAnswer & { readonly key: string };
type Shown = 'active' | 'revoked';

/** In words, in the order of the dialog. */
const SCOPES: readonly { readonly scope: Scope; readonly hint: string; readonly isDefault?: boolean }[] = [
  { scope: 'render:write', hint: 'Render images.', isDefault: true },
  { scope: 'render:read', hint: 'Read the render log.' },
  { scope: 'batch:write', hint: 'Render many images with one request.' },
  { scope: 'templates:read', hint: 'Read templates and assets.' },
  { scope: 'templates:write', hint: 'Create, change and delete templates and assets.' },
];

export default function Keys() {
  const keys = useQuery<{ readonly items: readonly KeyAnswer[] }>(inWorkspace('keys'));
  const [shown, setShown] = useState<Shown>('active');
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<Created>();
  const [revoking, setRevoking] = useState<KeyAnswer>();

  const all = keys.data?.items;
  const items = all?.filter(({ state }) => state === shown);
  const create = canEdit.value && (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      Create key
    </Button>
  );

  return (
    <Page
      title="Keys"
      description="Programs render with an API key. It is shown once, when it is made."
      actions={all?.length === 0 ? undefined : create}
    >
      {keys.error && !all && (
        <div class="card">
          <Failed error={keys.error} onRetry={keys.reload} />
        </div>
      )}
      {!keys.error && all?.length === 0 && (
        <div class="card">
          <Empty icon="key" title="No keys yet" action={create}>
            A key lets a program render images, and charges them to this workspace.
          </Empty>
        </div>
      )}
      {all?.some(({ state }) => state === 'revoked') && (
        <div>
          <Segmented
            label="State"
            value={shown}
            onChange={(value) => setShown(value as Shown)}
            options={[
              { value: 'active', label: 'Active' },
              { value: 'revoked', label: 'Revoked' },
            ]}
          />
        </div>
      )}
      {items?.length === 0 && all && all.length > 0 && (
        <div class="card">
          <Empty icon="key" title={`No ${shown} keys`} />
        </div>
      )}
      {!(keys.error && !all) && items?.length !== 0 && (
        <Table
          label="Keys"
          columns={columnsFor(shown, canEdit.value ? setRevoking : undefined)}
          rows={items}
          rowKey={({ id }) => id}
          loadingRows={3}
        />
      )}
      {isCreating && (
        <CreateKey
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false);
            setCreated(key);
            setShown('active');
            announce(`Key ${key.name} created`);
            keys.reload();
          }}
        />
      )}
      {created && (
        <Dialog
          title="Key created"
          size="medium"
          isShownOnce
          onClose={() => setCreated(undefined)}
          footer={
            <Button kind="primary" onClick={() => setCreated(undefined)}>
              Done
            </Button>
          }
        >
          <div class="stack">
            <CopyField label={`Key ${created.name}`} value={created.key} />
            <Alert kind="warning">Copy it now: it is stored as a hash, and can’t be shown again.</Alert>
          </div>
        </Dialog>
      )}
      {revoking && (
        <ConfirmDialog
          title="Revoke key"
          confirm="Revoke"
          isDanger
          typed={{ label: 'Name', text: revoking.name }}
          onClose={() => setRevoking(undefined)}
          onConfirm={async () => {
            await api.delete(inWorkspace(`keys/${encodeURIComponent(revoking.id)}`));
            setRevoking(undefined);
            toast(`Key ${revoking.name} revoked`);
            await keys.reload();
          }}
        >
          <p>
            Requests with <strong>{revoking.name}</strong> fail with 401 from then on. This can’t be undone.
            {revoking.requests > 0 && ` It sent ${formatCount(revoking.requests, 'request')} in the last 24 hours.`}
          </p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

function columnsFor(shown: Shown, onRevoke: ((key: KeyAnswer) => void) | undefined): readonly Column<KeyAnswer>[] {
  return [
    { name: 'Name', cell: ({ name }) => name, isTitle: true, skeleton: '8rem' },
    {
      name: 'Prefix',
      cell: ({ prefix }) => (prefix ? <Code>{prefix}</Code> : <span class="faint">unknown</span>),
      skeleton: '9rem',
    },
    { name: 'Scopes', cell: ({ scopes }) => <Scopes scopes={scopes} />, skeleton: '7rem', isMinor: true },
    { name: 'Created', cell: ({ createdAt }) => <DateTime value={createdAt} form="date" />, isMinor: true },
    {
      name: 'Last used',
      cell: ({ lastUsedAt }) =>
        lastUsedAt ? <DateTime value={lastUsedAt} form="ago" /> : <span class="faint">never</span>,
    },
    ...(shown === 'active'
      ? ([
          { name: 'Requests 24 h', cell: ({ requests }) => formatNumber(requests), align: 'end', skeleton: '3rem' },
          {
            name: '429s 24 h',
            cell: ({ refused }) =>
              refused > 0 ? <Badge kind="warning">{formatNumber(refused)}</Badge> : formatNumber(refused),
            align: 'end',
            skeleton: '2rem',
          },
        ] as const satisfies readonly Column<KeyAnswer>[])
      : []),
    ...(shown === 'active' && onRevoke
      ? [
          {
            name: 'Actions',
            isNameHidden: true,
            skeleton: '4rem',
            cell: (key: KeyAnswer) => (
              <div class="row-actions">
                <Button kind="quiet" size="small" onClick={() => onRevoke(key)}>
                  Revoke
                </Button>
              </div>
            ),
          },
        ]
      : []),
  ];
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

interface CreateKeyProps {
  readonly onClose: () => void;
  readonly onCreated: (key: Created) => void;
}

function CreateKey({ onClose, onCreated }: CreateKeyProps) {
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

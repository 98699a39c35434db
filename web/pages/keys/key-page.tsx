// The common part of the pages **Keys** and **Links**: lists a workspace's keys with their use, creates a key, whose secret is
// shown once, and revokes keys.
import type { ComponentChildren, FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import type { KeyAnswer, LinkKeyAnswer } from '../../../lib/contract/dashboard.js';
import { announce, toast } from '../../app/announce.js';
import { api } from '../../app/api.js';
import { formatDuration, formatNumber } from '../../app/format.js';
import { useQuery } from '../../app/query.js';
import { canEdit, inWorkspace } from '../../app/session.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog, Dialog } from '../../ui/dialog.js';
import { Alert, Empty, Failed } from '../../ui/feedback.js';
import { Segmented } from '../../ui/field.js';
import type { IconName } from '../../ui/icon.js';
import { Page } from '../../ui/page.js';
import { type Column, Table } from '../../ui/table.js';
import { CopyField, DateTime } from '../../ui/value.js';

type AnyKey = KeyAnswer | LinkKeyAnswer;
type Shown = 'active' | 'revoked';

export interface CreateProps<Created> {
  readonly onClose: () => void;
  readonly onCreated: (key: Created) => void;
}

interface KeyPageProps<Key extends AnyKey, Created extends Key> {
  readonly title: string;
  readonly description: string;
  readonly path: 'keys' | 'links';
  /** Word for a key, such as `link key`. */
  readonly noun: string;
  readonly icon: IconName;
  /** Purpose of a key, shown when there is none. */
  readonly purpose: string;
  /** Columns after the name. */
  readonly columns: readonly Column<Key>[];
  /** Heading of the keys' use: `Requests`. */
  readonly use: string;
  /** Columns that only the list of revoked keys has. */
  readonly revokedColumns?: readonly Column<Key>[];
  readonly Create: FunctionComponent<CreateProps<Created>>;
  readonly secretOf: (key: Created) => { readonly label: string; readonly value: string; readonly warning: string };
  /** Consequence of revoking the key. */
  readonly consequence: (key: Key) => ComponentChildren;
  /** Content below the list, for operators who may change it. */
  readonly below?: (active: readonly Key[]) => ComponentChildren;
}

export function KeyPage<Key extends AnyKey, Created extends Key>({
  title,
  description,
  path,
  noun,
  icon,
  purpose,
  columns,
  use,
  revokedColumns = [],
  Create,
  secretOf,
  consequence,
  below,
}: KeyPageProps<Key, Created>) {
  const keys = useQuery<{ readonly items: readonly Key[] }>(inWorkspace(path));
  const [listedState, setShown] = useState<Shown>('active');
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<Created>();
  const [revoking, setRevoking] = useState<Key>();

  const all = keys.data?.items;
  const active = all?.filter(({ state }) => state === 'active');
  const items = all?.filter(({ state }) => state === listedState);
  const capitalized = noun[0]!.toUpperCase() + noun.slice(1);
  const secret = created && secretOf(created);
  const create = canEdit.value && (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      {`Create ${noun}`}
    </Button>
  );
  const listed: readonly Column<Key>[] = [
    { name: 'Name', cell: ({ name }) => name, isTitle: true, skeleton: '8rem' },
    ...columns,
    { name: 'Created', cell: ({ createdAt }) => <DateTime value={createdAt} form="date" />, isMinor: true },
    {
      name: 'Last used',
      cell: ({ lastUsedAt }) =>
        lastUsedAt ? <DateTime value={lastUsedAt} form="ago" /> : <span class="faint">never</span>,
    },
    ...(listedState === 'active' ? usageColumns<Key>(use) : revokedColumns),
    ...(listedState === 'active' && canEdit.value ? [revokeColumn<Key>(setRevoking)] : []),
  ];

  return (
    <Page title={title} description={description} actions={all?.length === 0 ? undefined : create}>
      {keys.error && !all && (
        <div class="card">
          <Failed error={keys.error} onRetry={keys.reload} />
        </div>
      )}
      {!keys.error && all?.length === 0 && (
        <div class="card">
          <Empty icon={icon} title={`No ${noun}s yet`} action={create}>
            {purpose}
          </Empty>
        </div>
      )}
      {all?.some(({ state }) => state === 'revoked') && (
        <div>
          <Segmented
            label="State"
            value={listedState}
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
          <Empty icon={icon} title={`No ${listedState} ${noun}s`} />
        </div>
      )}
      {!(keys.error && !all) && items?.length !== 0 && (
        <Table label={title} columns={listed} rows={items} rowKey={({ id }) => id} loadingRows={3} />
      )}
      {canEdit.value && active && active.length > 0 && below?.(active)}
      {isCreating && (
        <Create
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false);
            setCreated(key);
            setShown('active');
            announce(`${capitalized} ${key.name} created`);
            keys.reload();
          }}
        />
      )}
      {secret && (
        <Dialog
          title={`${capitalized} created`}
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
            <CopyField label={secret.label} value={secret.value} />
            <Alert kind="warning">{secret.warning}</Alert>
          </div>
        </Dialog>
      )}
      {revoking && (
        <ConfirmDialog
          title={`Revoke ${noun}`}
          confirm="Revoke"
          isDanger
          typed={{ label: 'Name', text: revoking.name }}
          onClose={() => setRevoking(undefined)}
          onConfirm={async () => {
            await api.delete(inWorkspace(`${path}/${encodeURIComponent(revoking.id)}`));
            setRevoking(undefined);
            toast(`${capitalized} ${revoking.name} revoked`);
            await keys.reload();
          }}
        >
          <p>{consequence(revoking)}</p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

const usageColumns = <Key extends AnyKey>(use: string): readonly Column<Key>[] => [
  { name: `${use} 24 h`, cell: ({ requests }) => formatNumber(requests), align: 'end', skeleton: '3rem' },
  {
    name: '429s 24 h',
    cell: ({ refused }) =>
      refused > 0 ? <Badge kind="warning">{formatNumber(refused)}</Badge> : formatNumber(refused),
    align: 'end',
    skeleton: '2rem',
  },
  {
    name: 'Processor time 24 h',
    cell: ({ cpuMs }) => (cpuMs > 0 ? formatDuration(cpuMs) : '–'),
    align: 'end',
    skeleton: '4rem',
    isExtra: true,
  },
];

const revokeColumn = <Key extends AnyKey>(onRevoke: (key: Key) => void): Column<Key> => ({
  name: 'Actions',
  isNameHidden: true,
  skeleton: '4rem',
  cell: (key) => (
    <div class="row-actions">
      <Button kind="quiet" size="small" onClick={() => onRevoke(key)}>
        Revoke
      </Button>
    </div>
  ),
});

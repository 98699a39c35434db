// Links: the keys that sign image links, making one, revoking one, and composing a URL to sign.
import { useState } from 'preact/hooks';
import type { LinkKeyAnswer, LinkKeyBody } from '../../../lib/contract/dashboard.js';
import { announce, toast } from '../../app/announce.js';
import { api } from '../../app/api.js';
import { formatCount, formatNumber } from '../../app/format.js';
import { useQuery } from '../../app/query.js';
import { canEdit, inWorkspace } from '../../app/session.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog, Dialog, FormDialog } from '../../ui/dialog.js';
import { Alert, Empty, Failed } from '../../ui/feedback.js';
import { Segmented, TextField } from '../../ui/field.js';
import { Page } from '../../ui/page.js';
import { type Column, Table } from '../../ui/table.js';
import { Code, CopyField, DateTime } from '../../ui/value.js';
import { ComposeLink } from './compose-link.js';

type Created = LinkKeyAnswer & { readonly privateKey: string };
type Shown = 'active' | 'revoked';

export default function Links() {
  const links = useQuery<{ readonly items: readonly LinkKeyAnswer[] }>(inWorkspace('links'));
  const [shown, setShown] = useState<Shown>('active');
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<Created>();
  const [revoking, setRevoking] = useState<LinkKeyAnswer>();

  const all = links.data?.items;
  const active = all?.filter(({ state }) => state === 'active');
  const items = all?.filter(({ state }) => state === shown);
  const create = canEdit.value && (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      Create link key
    </Button>
  );

  return (
    <Page
      title="Links"
      description="A link key signs the URLs of images, which then need no API key."
      actions={all?.length === 0 ? undefined : create}
    >
      {links.error && !all && (
        <div class="card">
          <Failed error={links.error} onRetry={links.reload} />
        </div>
      )}
      {!links.error && all?.length === 0 && (
        <div class="card">
          <Empty icon="link" title="No link keys yet" action={create}>
            With a link key, your server signs the URLs of images for pages and mails.
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
          <Empty icon="link" title={`No ${shown} link keys`} />
        </div>
      )}
      {!(links.error && !all) && items?.length !== 0 && (
        <Table
          label="Links"
          columns={columnsFor(shown, canEdit.value ? setRevoking : undefined)}
          rows={items}
          rowKey={({ id }) => id}
          loadingRows={3}
        />
      )}
      {canEdit.value && active && active.length > 0 && <ComposeLink keys={active} />}
      {isCreating && (
        <CreateLinkKey
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false);
            setCreated(key);
            setShown('active');
            announce(`Link key ${key.name} created`);
            links.reload();
          }}
        />
      )}
      {created && (
        <Dialog
          title="Link key created"
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
            <CopyField label={`Private key ${created.name}`} value={created.privateKey} />
            <Alert kind="warning">Copy it now: only its public half is stored, so it can’t be shown again.</Alert>
          </div>
        </Dialog>
      )}
      {revoking && (
        <ConfirmDialog
          title="Revoke link key"
          confirm="Revoke"
          isDanger
          typed={{ label: 'Name', text: revoking.name }}
          onClose={() => setRevoking(undefined)}
          onConfirm={async () => {
            await api.delete(inWorkspace(`links/${encodeURIComponent(revoking.id)}`));
            setRevoking(undefined);
            toast(`Link key ${revoking.name} revoked`);
            await links.reload();
          }}
        >
          <p>
            Links that <strong>{revoking.name}</strong> signed fail with 403 from then on. This can’t be undone.
            {revoking.requests > 0 && ` They drew ${formatCount(revoking.requests, 'image')} in the last 24 hours.`}
          </p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

function columnsFor(
  shown: Shown,
  onRevoke: ((key: LinkKeyAnswer) => void) | undefined,
): readonly Column<LinkKeyAnswer>[] {
  return [
    { name: 'Name', cell: ({ name }) => name, isTitle: true, skeleton: '8rem' },
    { name: 'Id', cell: ({ id }) => <Code>{id}</Code>, skeleton: '12rem' },
    { name: 'Created', cell: ({ createdAt }) => <DateTime value={createdAt} form="date" />, isMinor: true },
    {
      name: 'Last used',
      cell: ({ lastUsedAt }) =>
        lastUsedAt ? <DateTime value={lastUsedAt} form="ago" /> : <span class="faint">never</span>,
    },
    ...(shown === 'active'
      ? ([
          { name: 'Images 24 h', cell: ({ requests }) => formatNumber(requests), align: 'end', skeleton: '3rem' },
          {
            name: '429s 24 h',
            cell: ({ refused }) =>
              refused > 0 ? <Badge kind="warning">{formatNumber(refused)}</Badge> : formatNumber(refused),
            align: 'end',
            skeleton: '2rem',
          },
        ] as const satisfies readonly Column<LinkKeyAnswer>[])
      : [
          {
            name: 'Revoked',
            cell: ({ revokedAt }: LinkKeyAnswer) => revokedAt && <DateTime value={revokedAt} form="date" />,
          },
        ]),
    ...(shown === 'active' && onRevoke
      ? [
          {
            name: 'Actions',
            isNameHidden: true,
            skeleton: '4rem',
            cell: (key: LinkKeyAnswer) => (
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

interface CreateLinkKeyProps {
  readonly onClose: () => void;
  readonly onCreated: (key: Created) => void;
}

function CreateLinkKey({ onClose, onCreated }: CreateLinkKeyProps) {
  const [name, setName] = useState('');
  return (
    <FormDialog
      title="Create link key"
      confirm="Create link key"
      isReady={name.trim() !== ''}
      onClose={onClose}
      onConfirm={async () => {
        const body: LinkKeyBody = { name: name.trim() };
        onCreated(await api.post<Created>(inWorkspace('links'), body));
      }}
    >
      <TextField
        label="Name"
        required
        maxLength={100}
        placeholder="Blog, link previews"
        hint="What the key is for; only people see it."
        value={name}
        onInput={setName}
      />
    </FormDialog>
  );
}

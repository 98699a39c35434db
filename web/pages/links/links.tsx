// **Links**: lists the keys that sign image links, and composes a URL to sign.
import { useState } from 'preact/hooks';
import type { LinkKeyAnswer, LinkKeyBody } from '../../../lib/contract/dashboard.js';
import { api } from '../../app/api.js';
import { formatCount } from '../../app/format.js';
import { inWorkspace } from '../../app/session.js';
import { FormDialog } from '../../ui/dialog.js';
import { TextField } from '../../ui/field.js';
import type { Column } from '../../ui/table.js';
import { Code, DateTime } from '../../ui/value.js';
import { type CreateProps, KeyPage } from '../keys/key-page.js';
import { ComposeLink } from './compose-link.js';

type Created = LinkKeyAnswer & { readonly privateKey: string };

const COLUMNS: readonly Column<LinkKeyAnswer>[] = [
  { name: 'Id', cell: ({ id }) => <Code>{id}</Code>, skeleton: '12rem' },
];
const REVOKED_COLUMNS: readonly Column<LinkKeyAnswer>[] = [
  { name: 'Revoked', cell: ({ revokedAt }) => revokedAt && <DateTime value={revokedAt} form="date" /> },
];

export default function Links() {
  return (
    <KeyPage<LinkKeyAnswer, Created>
      title="Links"
      description="A link key signs the URLs of images, which then need no API key."
      path="links"
      noun="link key"
      icon="link"
      purpose="With a link key, your server signs the URLs of images for pages and mails."
      columns={COLUMNS}
      revokedColumns={REVOKED_COLUMNS}
      use="Images"
      Create={CreateLinkKey}
      secretOf={({ name, privateKey }) => ({
        label: `Private key ${name}`,
        value: privateKey,
        warning: 'Copy it now: only its public half is stored, so it can’t be shown again.',
      })}
      consequence={({ name, requests }) => (
        <>
          Links that <strong>{name}</strong> signed fail with 403 from then on. This can’t be undone.
          {requests > 0 && ` They drew ${formatCount(requests, 'image')} in the last 24 hours.`}
        </>
      )}
      below={(active) => <ComposeLink keys={active} />}
    />
  );
}

function CreateLinkKey({ onClose, onCreated }: CreateProps<Created>) {
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

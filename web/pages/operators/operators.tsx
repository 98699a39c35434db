// **Operators**: manages who may use the dashboard. Only owners see it.
import { useState } from 'preact/hooks';
import type { OperatorAnswer } from '../../../lib/contract/dashboard.js';
import { toast } from '../../app/announce.js';
import { api } from '../../app/api.js';
import { useQuery } from '../../app/query.js';
import { loadSession, session } from '../../app/session.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { Failed } from '../../ui/feedback.js';
import { Card, Page } from '../../ui/page.js';
import { type Column, Table } from '../../ui/table.js';
import { DateTime } from '../../ui/value.js';
import { CreateOperator } from './create-operator.js';
import { SignInLink } from './sign-in-link.js';

/** The open dialog. */
type Open =
  | { readonly what: 'create' }
  | { readonly what: 'link'; readonly name: string; readonly link: string }
  | { readonly what: 'remove' | 'renew'; readonly operator: OperatorAnswer };

export default function Operators() {
  const { data, error, isLoading, reload } = useQuery<{ readonly items: readonly OperatorAnswer[] }>('operators');
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const own = session.value?.operator.id;
  const workspaceNames = new Map(session.value?.workspaces.map(({ id, name }) => [id, name]));
  const columns: Column<OperatorAnswer>[] = [
    {
      name: 'Name',
      isTitle: true,
      skeleton: '8rem',
      cell: ({ id, name }) => (
        <>
          <strong>{name}</strong> {id === own && <Badge>You</Badge>}
        </>
      ),
    },
    { name: 'Role', skeleton: '4rem', cell: ({ role }) => ROLE_NAMES[role] },
    {
      name: 'Workspaces',
      skeleton: '8rem',
      cell: ({ workspaces }) => workspaces?.map((id) => workspaceNames.get(id) ?? id).join(', ') ?? 'All',
    },
    {
      name: 'State',
      isState: true,
      skeleton: '5rem',
      cell: ({ hasPassword }) =>
        hasPassword ? (
          <Badge kind="success" hasDot>
            Active
          </Badge>
        ) : (
          <Badge kind="warning" hasDot>
            Invited
          </Badge>
        ),
    },
    {
      name: 'Created',
      isMinor: true,
      skeleton: '6rem',
      cell: ({ createdAt }) => <DateTime value={createdAt} form="date" />,
    },
    {
      name: 'Actions',
      isNameHidden: true,
      align: 'end',
      skeleton: '9rem',
      cell: (operator) => (
        <span class="row-actions">
          <Button kind="quiet" size="small" onClick={() => setOpen({ what: 'renew', operator })}>
            New link
          </Button>
          <Button kind="quiet" size="small" onClick={() => setOpen({ what: 'remove', operator })}>
            Remove
          </Button>
        </span>
      ),
    },
  ];
  return (
    <Page
      title="Operators"
      description="People who may sign in to this dashboard."
      actions={
        <Button kind="primary" icon="plus" onClick={() => setOpen({ what: 'create' })}>
          Create operator
        </Button>
      }
    >
      <Card isFlush>
        {error && !data ? (
          <Failed error={error} onRetry={reload} />
        ) : (
          <Table
            label="Operators"
            columns={columns}
            rows={data?.items}
            rowKey={({ id }) => id}
            loadingRows={3}
            isStale={isLoading}
          />
        )}
      </Card>
      {open?.what === 'create' && (
        <CreateOperator
          onClose={close}
          onCreated={async (name, link) => {
            setOpen({ what: 'link', name, link });
            await reload();
          }}
        />
      )}
      {open?.what === 'link' && <SignInLink name={open.name} link={open.link} onClose={close} />}
      {open?.what === 'renew' && (
        <ConfirmDialog
          title="New link"
          confirm="New link"
          onClose={close}
          onConfirm={async () => {
            const { id, name } = open.operator;
            const { link } = await api.post<{ readonly link: string }>(`operators/${encodeURIComponent(id)}/link`);
            setOpen({ what: 'link', name, link });
          }}
        >
          <p>
            Whoever opens the link sets a new password for <strong>{open.operator.name}</strong>. Earlier links end now;
            the password and the sessions end when the new one is set.
          </p>
        </ConfirmDialog>
      )}
      {open?.what === 'remove' && (
        <ConfirmDialog
          title="Remove operator"
          confirm="Remove"
          isDanger
          onClose={close}
          onConfirm={async () => {
            await api.delete(`operators/${encodeURIComponent(open.operator.id)}`);
            toast(`${open.operator.name} removed`);
            close();
            // whoever removes themselves is signed out
            if (open.operator.id === own) await loadSession();
            else await reload();
          }}
        >
          <p>
            <strong>{open.operator.name}</strong> is signed out everywhere and can’t sign in again. What they made
            stays.
          </p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

const ROLE_NAMES = { owner: 'Owner', editor: 'Editor', viewer: 'Viewer' } as const;

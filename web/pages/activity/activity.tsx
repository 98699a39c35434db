// **Activity**: the audit log. Owners see the whole log, with sign-ins and operators, or only that of the chosen workspace.
import { withQuery } from '../../app/api.js';
import { usePages } from '../../app/query.js';
import { query, setQuery } from '../../app/router.js';
import { inWorkspace, isOwner, session } from '../../app/session.js';
import { Button } from '../../ui/button.js';
import { Empty, Failed } from '../../ui/feedback.js';
import { SelectField } from '../../ui/field.js';
import { Card, Page, Toolbar } from '../../ui/page.js';
import { type Column, Table } from '../../ui/table.js';
import { Code, DateTime, More } from '../../ui/value.js';
import { ACTIONS, type AuditItem, actionWords, actorWords, detailWords } from './words.js';

const PAGE = 50;

const EVERYWHERE = [
  { value: '', label: 'Everything' },
  { value: 'workspace', label: 'This workspace' },
];

export default function Activity() {
  const action = query.value.get('action') ?? '';
  const isWhole = isOwner.value && query.value.get('scope') !== 'workspace';
  const entries = usePages<AuditItem>(
    withQuery(isWhole ? 'audit' : inWorkspace('audit'), { action: action || undefined, limit: PAGE }),
  );
  const workspaceNames = new Map(session.value?.workspaces.map(({ id, name }) => [id, name]));
  const columns: Column<AuditItem>[] = [
    { name: 'Time', isTitle: true, skeleton: '8rem', cell: ({ time }) => <DateTime value={time} /> },
    { name: 'Who', skeleton: '6rem', cell: ({ actor }) => actorWords(actor) },
    { name: 'What', skeleton: '8rem', cell: (entry) => actionWords(entry.action) },
    {
      name: 'Details',
      isLong: true,
      skeleton: '18rem',
      cell: (entry) => (
        <>
          {detailWords(entry)}
          {entry.subject !== undefined && entry.subject !== entry.workspaceId && (
            <div>
              <Code>{entry.subject}</Code>
            </div>
          )}
        </>
      ),
    },
    ...(isWhole
      ? [
          {
            name: 'Workspace',
            isMinor: true,
            skeleton: '6rem',
            cell: ({ workspaceId }: AuditItem) =>
              workspaceId === undefined ? '' : (workspaceNames.get(workspaceId) ?? workspaceId),
          },
        ]
      : []),
  ];
  const { items, error, isLoading, reload } = entries;
  return (
    <Page title="Activity" description="Who changed what, and when.">
      <Toolbar label="Filters">
        <SelectField
          label="Action"
          value={action}
          options={actionOptions(action)}
          onChange={(value) => setQuery({ action: value })}
        />
        {isOwner.value && (
          <SelectField
            label="Scope"
            value={isWhole ? '' : 'workspace'}
            options={EVERYWHERE}
            onChange={(value) => setQuery({ scope: value })}
          />
        )}
      </Toolbar>
      <Card isFlush>
        {error && !items ? (
          <Failed error={error} onRetry={reload} />
        ) : items?.length === 0 ? (
          <None isFiltered={action !== ''} />
        ) : (
          <Table
            label="Activity"
            columns={columns}
            rows={items}
            rowKey={({ id }) => id}
            loadingRows={10}
            isStale={isLoading}
          />
        )}
      </Card>
      <More query={entries} />
    </Page>
  );
}

function None({ isFiltered }: { readonly isFiltered: boolean }) {
  if (!isFiltered) {
    return (
      <Empty icon="activity" title="Nothing yet">
        Changes of keys, credits and templates appear here.
      </Empty>
    );
  }
  return (
    <Empty
      icon="search"
      title="Nothing of this kind"
      action={<Button onClick={() => setQuery({ action: '' })}>Clear filters</Button>}
    />
  );
}

/** Lists all actions, and the chosen one if it is unknown. */
function actionOptions(chosen: string) {
  const actions = chosen === '' || ACTIONS.includes(chosen) ? ACTIONS : [...ACTIONS, chosen];
  return [{ value: '', label: 'All' }, ...actions.map((action) => ({ value: action, label: actionWords(action) }))];
}

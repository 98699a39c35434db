// **Renders**: the render log of a workspace, with failures.
import { useEffect, useRef } from 'preact/hooks';
import type { RenderLogEntry } from '../../../lib/contract/api/renders.js';
import type { TemplateSummary } from '../../../lib/contract/api/templates.js';
import type { KeyAnswer } from '../../../lib/contract/dashboard.js';
import { withQuery } from '../../app/api.js';
import { formatBytes, formatDuration } from '../../app/format.js';
import { type PagedQuery, useAllPages, usePages, useQuery } from '../../app/query.js';
import { query, setQuery } from '../../app/router.js';
import { inWorkspace } from '../../app/session.js';
import { Button } from '../../ui/button.js';
import { Empty, Failed } from '../../ui/feedback.js';
import { Card, Page } from '../../ui/page.js';
import { type Column, Table } from '../../ui/table.js';
import { DateTime, More } from '../../ui/value.js';
import { RenderDetails } from './details.js';
import { apiQueryOf, filterOf, hasFilter, NO_FILTER } from './filter.js';
import { Filters } from './filters.js';
import { Status } from './status.js';

const PAGE = 50;
/**
 * The server searches a bounded number of entries for each page of a filtered list, so the page asks for more until it has this
 * many.
 */
const ENOUGH = 10;
const MAX_ASKED_ON = 20;

export default function Renders() {
  const filter = filterOf(query.value);
  const templates = useAllPages<TemplateSummary>(inWorkspace('templates?limit=200'));
  const keys = useQuery<{ readonly items: readonly KeyAnswer[] }>(inWorkspace('keys'));
  const path = withQuery(inWorkspace('renders'), { ...apiQueryOf(filter), limit: PAGE });
  const renders = usePages<RenderLogEntry>(path);
  useEnough(path, renders);

  const templateNames = new Map(templates.items?.map(({ id, name }) => [id, name]));
  const keyNames = new Map(keys.data?.items.map(({ id, name }) => [id, name]));
  const opened = query.value.get('render');
  const columns: Column<RenderLogEntry>[] = [
    {
      name: 'Time',
      isTitle: true,
      skeleton: '8rem',
      cell: ({ id, time }) => (
        <a class="row-title" href={addressOf(id)}>
          <DateTime value={time} />
        </a>
      ),
    },
    { name: 'Template', skeleton: '9rem', cell: (entry) => <TemplateName entry={entry} names={templateNames} /> },
    { name: 'Format', skeleton: '2.5rem', cell: ({ format }) => format.toUpperCase() },
    {
      name: 'Size',
      align: 'end',
      skeleton: '3.5rem',
      cell: ({ sizeBytes }) => (sizeBytes ? formatBytes(sizeBytes) : '–'),
    },
    { name: 'Duration', align: 'end', skeleton: '3.5rem', cell: ({ durationMs }) => formatDuration(durationMs) },
    {
      name: 'Processor time',
      align: 'end',
      isMinor: true,
      skeleton: '4rem',
      cell: ({ cpuMs }) => (cpuMs === undefined ? '–' : formatDuration(cpuMs)),
    },
    {
      name: 'Key',
      isMinor: true,
      skeleton: '6rem',
      cell: ({ keyId }) => <span class="clip">{keyNames.get(keyId) ?? keyId}</span>,
    },
    { name: 'Status', isState: true, skeleton: '3rem', cell: (entry) => <Status entry={entry} /> },
  ];

  const { items, error, hasMore, reload } = renders;
  const isSearching = items?.length === 0 && renders.isLoadingMore;
  return (
    <Page
      title="Renders"
      description="What this workspace rendered, and what failed."
      actions={
        <Button onClick={reload} isBusy={renders.isLoading && items !== undefined}>
          Refresh
        </Button>
      }
    >
      <Filters filter={filter} templates={templates.items ?? []} keys={keys.data?.items ?? []} />
      <Card isFlush>
        {error && !items ? (
          <Failed error={error} onRetry={reload} />
        ) : items?.length === 0 && !isSearching ? (
          <None isFiltered={hasFilter(filter)} hasMore={hasMore} />
        ) : (
          <Table
            label="Renders"
            columns={columns}
            rows={isSearching ? undefined : items}
            rowKey={({ id }) => id}
            onRow={({ id }) => setQuery({ render: id })}
            loadingRows={10}
            isStale={renders.isLoading}
          />
        )}
      </Card>
      <More query={renders} />
      {opened && (
        <RenderDetails
          key={opened}
          id={opened}
          listed={items?.find(({ id }) => id === opened)}
          templateNames={templates.items && !templates.hasMore ? templateNames : undefined}
          keyNames={keyNames}
          onClose={() => setQuery({ render: undefined })}
        />
      )}
    </Page>
  );
}

/** Returns the address of the page with the details of an entry. */
function addressOf(id: string): string {
  const next = new URLSearchParams(query.value);
  next.set('render', id);
  return `?${next}`;
}

function TemplateName({
  entry,
  names,
}: {
  readonly entry: RenderLogEntry;
  readonly names: ReadonlyMap<string, string>;
}) {
  const { templateId } = entry;
  if (templateId === undefined) return <span class="faint">Canvas</span>;
  return <span class="clip">{names.get(templateId) ?? templateId}</span>;
}

function None({ isFiltered, hasMore }: { readonly isFiltered: boolean; readonly hasMore: boolean }) {
  if (!isFiltered) {
    return (
      <Empty icon="renders" title="No renders yet">
        Each request to <code class="code">POST /v1/render</code> appears here, with its metadata.
      </Empty>
    );
  }
  return (
    <Empty
      icon="search"
      title={hasMore ? 'No render matches so far' : 'No render matches'}
      action={<Button onClick={() => setQuery(NO_FILTER)}>Clear filters</Button>}
    >
      {hasMore
        ? 'Older entries may match: load more to look there.'
        : 'No entry of the log has all of these properties.'}
    </Empty>
  );
}

/** Asks for further pages of a filtered list until there are enough entries. */
function useEnough(
  path: string,
  { items, hasMore, isLoading, isLoadingMore, error, loadMore }: PagedQuery<unknown>,
): void {
  const asked = useRef({ path, times: 0 });
  useEffect(() => {
    if (asked.current.path !== path) asked.current = { path, times: 0 };
    if (isLoading || isLoadingMore || error || !hasMore || !items || items.length >= ENOUGH) return;
    if (asked.current.times++ < MAX_ASKED_ON) loadMore();
  }, [path, items, hasMore, isLoading, isLoadingMore, error, loadMore]);
}

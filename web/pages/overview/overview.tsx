// **Overview**: the workspace's numbers of 30 days, its newest renders, and its templates.
import { useState } from 'preact/hooks';
import type { RenderLogEntry } from '../../../lib/contract/api/renders.js';
import type { TemplateSummary } from '../../../lib/contract/api/templates.js';
import type { UsageAnswer } from '../../../lib/contract/dashboard.js';
import { formatCount, formatDay, formatDuration, formatMean, formatNumber, formatPercent } from '../../app/format.js';
import { useAllPages, useQuery } from '../../app/query.js';
import { canEdit, inWorkspace, workspace } from '../../app/session.js';
import { Badge } from '../../ui/badge.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { BarChart } from '../../ui/chart.js';
import { Empty, Failed, Loaded, Skeleton } from '../../ui/feedback.js';
import { Segmented } from '../../ui/field.js';
import { Icon } from '../../ui/icon.js';
import { Card, Page, Stat, Stats } from '../../ui/page.js';
import { type Column, Table } from '../../ui/table.js';
import { Thumbnail } from '../../ui/thumbnail.js';
import { DateTime, Onward } from '../../ui/value.js';

const DAYS = 30;
const NEWEST = 6;
/** The page warns when the credit lasts for fewer days than this. */
const FEW_DAYS = 7;

type Items<Item> = { readonly items: readonly Item[] };

export default function Overview() {
  const usage = useQuery<UsageAnswer>(inWorkspace(`usage?days=${DAYS}`));
  const renders = useQuery<Items<RenderLogEntry>>(inWorkspace(`renders?limit=${NEWEST}`));
  const templates = useQuery<Items<TemplateSummary>>(inWorkspace(`templates?limit=${NEWEST}`));
  const newestNames = new Map(templates.data?.items.map(({ id, name }) => [id, name]));
  const isAnyOlder =
    templates.data && renders.data?.items.some(({ templateId }) => templateId && !newestNames.has(templateId));
  const all = useAllPages<TemplateSummary>(isAnyOlder ? inWorkspace('templates?limit=200') : undefined);
  const nameOf = (id: string) => newestNames.get(id) ?? all.items?.find((template) => template.id === id)?.name ?? id;

  return (
    <Page title="Overview" description={`${workspace.value?.name}, the last ${DAYS} days`}>
      {usage.error && !usage.data ? (
        <Card>
          <Failed error={usage.error} onRetry={usage.reload} />
        </Card>
      ) : (
        <>
          <Numbers usage={usage.data} />
          <Chart usage={usage.data} />
        </>
      )}
      <div class="overview-lists">
        <Card title="Newest renders" isFlush actions={<Onward href="/dashboard/renders">All renders</Onward>}>
          <Loaded query={renders} loading={<Placeholders />}>
            {({ items }) =>
              items.length === 0 ? (
                <Empty
                  icon="renders"
                  title="No renders yet"
                  action={
                    canEdit.value && (
                      <>
                        <ButtonLink href="/dashboard/playground">Open the playground</ButtonLink>
                        <ButtonLink href="/dashboard/keys">Make a key</ButtonLink>
                      </>
                    )
                  }
                >
                  Try a payload in the playground, then send it to <code>POST /v1/render</code> with a key.
                </Empty>
              ) : (
                <ul class="overview-list">
                  {items.map((entry) => (
                    <Render key={entry.id} entry={entry} nameOf={nameOf} />
                  ))}
                </ul>
              )
            }
          </Loaded>
        </Card>
        <Card title="Templates" isFlush actions={<Onward href="/dashboard/templates">All templates</Onward>}>
          <Loaded query={templates} loading={<Placeholders />}>
            {({ items }) =>
              items.length === 0 ? (
                <Empty
                  icon="templates"
                  title="No templates yet"
                  action={canEdit.value && <ButtonLink href="/dashboard/templates">Go to templates</ButtonLink>}
                >
                  A template is a picture with variables: make one from a starter, or import one.
                </Empty>
              ) : (
                <ul class="overview-list">
                  {items.map((template) => (
                    <Template key={template.id} template={template} />
                  ))}
                </ul>
              )
            }
          </Loaded>
        </Card>
      </div>
    </Page>
  );
}

function Numbers({ usage }: { readonly usage: UsageAnswer | undefined }) {
  const sumOf = (field: 'renders' | 'failures' | 'credits') =>
    usage?.days.reduce((total, day) => total + day[field], 0) ?? 0;
  const renders = sumOf('renders');
  const failures = sumOf('failures');
  const all = renders + failures;
  const daysLeft = usage?.daysLeft;
  return (
    <Stats>
      <Stat
        label="Renders"
        value={usage && formatNumber(renders)}
        note={usage && `${formatMean(renders / usage.days.length)} a day`}
      />
      <Stat
        label="Failures"
        value={usage && formatNumber(failures)}
        note={usage && (all > 0 ? `${formatPercent(failures / all)} of requests` : 'none')}
      />
      <Stat
        label="Credits used"
        value={usage && formatNumber(sumOf('credits'))}
        note={usage && `${formatNumber(usage.balance)} left`}
        kind={usage && usage.balance <= 0 ? 'danger' : undefined}
      />
      <Stat
        label="Days of credit left"
        value={usage && daysLeftOf(usage)}
        note={usage && (daysLeft == null ? 'no charges in this time' : 'at this rate')}
        kind={daysLeft != null && daysLeft < FEW_DAYS ? 'warning' : undefined}
      />
    </Stats>
  );
}

/** Describes how long the balance lasts; beyond a few years the number doesn't matter. */
function daysLeftOf({ daysLeft }: UsageAnswer): string {
  if (daysLeft === null) return '–';
  return daysLeft >= 1000 ? '1,000+' : formatNumber(Math.floor(daysLeft));
}

type Day = UsageAnswer['days'][number];

const COLUMNS: readonly Column<Day>[] = [
  { name: 'Day', cell: ({ date }) => <time dateTime={date}>{formatDay(date)}</time>, isTitle: true },
  { name: 'Renders', cell: ({ renders }) => formatNumber(renders), align: 'end' },
  { name: 'Failures', cell: ({ failures }) => formatNumber(failures), align: 'end' },
  { name: 'Credits', cell: ({ credits }) => formatNumber(credits), align: 'end' },
  {
    name: 'Processor time',
    cell: ({ cpuMs }) => (cpuMs > 0 ? formatDuration(cpuMs) : '–'),
    align: 'end',
    isMinor: true,
  },
];

function Chart({ usage }: { readonly usage: UsageAnswer | undefined }) {
  const [measure, setMeasure] = useState('renders');
  const [isTable, setTable] = useState(false);
  const days = usage?.days ?? [];
  const categories = days.map(({ date }) => formatDay(date));
  const isCredits = measure === 'credits';
  return (
    <Card
      title="Per day"
      isFlush={isTable}
      actions={
        <>
          {!isTable && (
            <Segmented
              label="Measure"
              value={measure}
              onChange={setMeasure}
              options={[
                { value: 'renders', label: 'Renders' },
                { value: 'credits', label: 'Credits' },
              ]}
            />
          )}
          <Button size="small" onClick={() => setTable(!isTable)}>
            {isTable ? 'Show as chart' : 'Show as table'}
          </Button>
        </>
      }
    >
      {!usage && (
        <div class="overview-chart-loading" aria-busy="true">
          <Skeleton height="11rem" />
        </div>
      )}
      {usage && isTable && (
        <Table label="Per day" isCompact columns={COLUMNS} rows={days.toReversed()} rowKey={({ date }) => date} />
      )}
      {usage && !isTable && (
        <BarChart
          label={
            isCredits
              ? `Bar chart of credits per day, ${DAYS} days`
              : `Bar chart of renders and failures per day, ${DAYS} days`
          }
          categories={categories}
          whole={`${DAYS} days`}
          series={
            isCredits
              ? [{ name: 'Credits', kind: 'main', values: days.map(({ credits }) => credits) }]
              : [
                  { name: 'Renders', kind: 'main', values: days.map(({ renders }) => renders) },
                  { name: 'Failures', kind: 'failed', values: days.map(({ failures }) => failures) },
                ]
          }
        />
      )}
    </Card>
  );
}

function Render({ entry, nameOf }: { readonly entry: RenderLogEntry; readonly nameOf: (id: string) => string }) {
  const { templateId, templateVersion, status, code, format, width, height, durationMs } = entry;
  return (
    <li class="overview-item">
      <span class="overview-picture">
        {templateId && templateVersion && status === 'ok' ? (
          <Thumbnail source={{ id: templateId, version: templateVersion }} size="small" />
        ) : (
          // the log keeps no payload
          <Icon name={status === 'ok' ? 'image' : 'alert'} />
        )}
      </span>
      <a class="overview-link" href={`/dashboard/renders?id=${encodeURIComponent(entry.id)}`}>
        {templateId ? nameOf(templateId) : 'Canvas'}
      </a>
      <span class="overview-note">
        {status === 'ok' ? `${format.toUpperCase()} ${width} × ${height}, ${formatDuration(durationMs)}` : code}
      </span>
      <span class="overview-end">
        {status === 'failed' && <Badge kind="danger">Failed</Badge>}
        <DateTime value={entry.time} form="ago" />
      </span>
    </li>
  );
}

function Template({ template }: { readonly template: TemplateSummary }) {
  const { id, version, name, width, height, hotspots, publishedVersion, updatedAt } = template;
  return (
    <li class="overview-item">
      <span class="overview-picture">
        <Thumbnail source={{ id, version }} size="small" />
      </span>
      <a
        class="overview-link"
        href={canEdit.value ? `/dashboard/templates/${encodeURIComponent(id)}` : '/dashboard/templates'}
      >
        {name}
      </a>
      <span class="overview-note">
        {width} × {height}, {formatCount(hotspots.length, 'variable')}
      </span>
      <span class="overview-end">
        {publishedVersion === null && <Badge>Draft</Badge>}
        <DateTime value={updatedAt} form="ago" />
      </span>
    </li>
  );
}

function Placeholders() {
  return (
    <ul class="overview-list">
      {[0, 1, 2].map((index) => (
        <li key={index} class="overview-item">
          <span class="overview-picture" />
          <Skeleton width="9rem" />
          <span class="overview-note">
            <Skeleton width="6rem" />
          </span>
        </li>
      ))}
    </ul>
  );
}

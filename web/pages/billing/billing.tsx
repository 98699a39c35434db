// **Billing**: a workspace's balance and plan, its grants and charges.
import { useState } from 'preact/hooks';
import type { CreditsAnswer, UsageAnswer } from '../../../lib/contract/dashboard.js';
import { announce } from '../../app/announce.js';
import { formatCount, formatDay, formatNumber } from '../../app/format.js';
import { usePages, useQuery } from '../../app/query.js';
import { inWorkspace, isOwner, session } from '../../app/session.js';
import { Button } from '../../ui/button.js';
import { Alert, Empty, Failed } from '../../ui/feedback.js';
import { Card, Page, Stat, Stats } from '../../ui/page.js';
import { type Column, Table } from '../../ui/table.js';
import { DateTime, More } from '../../ui/value.js';
import { GrantCredits } from './grant-credits.js';

type LedgerLine = CreditsAnswer['items'][number];

const PAGE = 50;
const USAGE_DAYS = 30;

const COLUMNS: readonly Column<LedgerLine>[] = [
  {
    name: 'Date',
    isTitle: true,
    skeleton: '7rem',
    // an entry sums up the charges of a day in UTC
    cell: ({ kind, time }) =>
      kind === 'charge' ? <time dateTime={time.slice(0, 10)}>{formatDay(time)}</time> : <DateTime value={time} />,
  },
  { name: 'Entry', skeleton: '9rem', cell: wordsOf },
  {
    name: 'Credits',
    align: 'end',
    skeleton: '4rem',
    cell: ({ amount }) => <span class={amount > 0 ? 'amount-in' : undefined}>{signed(amount)}</span>,
  },
];

export default function Billing() {
  const credits = useQuery<CreditsAnswer>(inWorkspace('credits?limit=1'));
  const usage = useQuery<UsageAnswer>(inWorkspace(`usage?days=${USAGE_DAYS}`));
  const ledger = usePages<LedgerLine>(inWorkspace(`credits?limit=${PAGE}`));
  const [isGranting, setGranting] = useState(false);
  const { items, error, isLoading, reload } = ledger;
  return (
    <Page
      title="Billing"
      description="Credits pay for renders: they are granted by owners, and charged when a picture is made."
      actions={
        isOwner.value && (
          <Button kind="primary" icon="plus" onClick={() => setGranting(true)}>
            Grant credits
          </Button>
        )
      }
    >
      {credits.error && !credits.data ? (
        <Card>
          <Failed error={credits.error} onRetry={credits.reload} />
        </Card>
      ) : (
        <Account credits={credits.data} usage={usage.data} />
      )}
      <Card title="Ledger" isFlush>
        {error && !items ? (
          <Failed error={error} onRetry={reload} />
        ) : items?.length === 0 ? (
          <Empty icon="billing" title="Nothing granted or charged yet">
            Grants appear here one by one, charges by day.
          </Empty>
        ) : (
          <Table
            label="Ledger"
            isCompact
            columns={COLUMNS}
            rows={items}
            rowKey={({ id }) => id}
            loadingRows={6}
            isStale={isLoading}
          />
        )}
      </Card>
      <More query={ledger} />
      {isGranting && (
        <GrantCredits
          onClose={() => setGranting(false)}
          onGranted={async (balance) => {
            setGranting(false);
            await Promise.all([credits.reload(), usage.reload(), reload()]);
            announce(`The balance is ${formatNumber(balance)} credits`);
          }}
        />
      )}
    </Page>
  );
}

interface AccountProps {
  readonly credits: CreditsAnswer | undefined;
  readonly usage: UsageAnswer | undefined;
}

function Account({ credits, usage }: AccountProps) {
  const spent = usage?.days.reduce((sum, day) => sum + day.credits, 0);
  const isFree = credits?.plan === 'free';
  const isUsedUp = credits !== undefined && credits.rendersRemaining < 1;
  return (
    <>
      {isUsedUp && (
        <Alert kind="warning">
          The credits are used up: renders are answered 402.{' '}
          {isOwner.value ? 'Grant credits to go on.' : 'Ask an owner to grant credits.'}
        </Alert>
      )}
      <Stats>
        <Stat
          label="Balance"
          value={credits && formatNumber(credits.balance)}
          note={credits && rendersNote(credits)}
          kind={isUsedUp ? 'danger' : undefined}
        />
        <Stat
          label="Plan"
          value={credits && (isFree ? 'Free' : 'Paid')}
          note={credits && (isFree ? watermarkNote() : 'No watermark')}
        />
        <Stat
          label={`Charged in ${USAGE_DAYS} days`}
          value={spent === undefined ? undefined : formatNumber(spent)}
          note={usage && daysLeftNote(usage.daysLeft)}
        />
      </Stats>
    </>
  );
}

function rendersNote({ rendersRemaining, creditsCost }: CreditsAnswer): string {
  const renders = formatCount(rendersRemaining, 'render');
  return creditsCost === 1 ? renders : `${renders} at ${formatNumber(creditsCost)} each`;
}

function watermarkNote(): string {
  const watermark = session.value?.watermark;
  return watermark ? `Pictures carry “${watermark}”` : 'Pictures carry a watermark';
}

function daysLeftNote(daysLeft: number | null): string {
  if (daysLeft === null) return 'No charges yet';
  return daysLeft < 1 ? 'Less than a day left' : `${formatCount(Math.floor(daysLeft), 'day')} left`;
}

function wordsOf({ kind, amount, renders }: LedgerLine): string {
  if (kind === 'charge') return formatCount(renders ?? 0, 'render');
  if (kind === 'opening') return 'Opening balance';
  return amount < 0 ? 'Taken back' : 'Granted';
}

/** Writes an amount with its sign: `+1,000`, `−12`. */
function signed(amount: number): string {
  return `${amount > 0 ? '+' : amount < 0 ? '−' : ''}${formatNumber(Math.abs(amount))}`;
}

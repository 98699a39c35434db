// The filters of the render log: reads them from the page's address, and writes the admin API's query.

/** Filters as they are in the page's address. */
export interface RenderFilter {
  readonly status: '' | 'ok' | 'failed';
  readonly template: string;
  readonly key: string;
  /** Days in the browser's time zone, such as `2026-11-22`; both are included. */
  readonly from: string;
  readonly to: string;
  /** A field and its value, `key=value`. */
  readonly metadata: string;
}

export const NO_FILTER = { status: '', template: '', key: '', from: '', to: '', metadata: '' } as const;

export function filterOf(query: URLSearchParams): RenderFilter {
  const status = query.get('status');
  return {
    status: status === 'ok' || status === 'failed' ? status : '',
    template: query.get('template') ?? '',
    key: query.get('key') ?? '',
    from: query.get('from') ?? '',
    to: query.get('to') ?? '',
    metadata: query.get('metadata') ?? '',
  };
}

export const hasFilter = (filter: RenderFilter) => Object.values(filter).some((value) => value !== '');

/** Splits `key=value`; undefined if either is missing. The value may contain further equals signs. */
export function metadataOf(text: string): readonly [field: string, value: string] | undefined {
  const at = text.indexOf('=');
  const field = text.slice(0, at).trim();
  return at > 0 && field !== '' ? [field, text.slice(at + 1).trim()] : undefined;
}

/** Writes the query of the admin API. Malformed filters are left out. */
export function apiQueryOf(filter: RenderFilter): Readonly<Record<string, string | undefined>> {
  const metadata = metadataOf(filter.metadata);
  return {
    status: filter.status,
    templateId: filter.template,
    keyId: filter.key,
    from: startOf(filter.from, 0),
    // the API's end is exclusive
    to: startOf(filter.to, 1),
    ...(metadata && { [`metadata.${metadata[0]}`]: metadata[1] }),
  };
}

/** Returns the start of the day that is `later` days after `day`, in the browser's time zone. */
function startOf(day: string, later: number): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return undefined;
  const time = new Date(Number(year), Number(month) - 1, Number(date) + later);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

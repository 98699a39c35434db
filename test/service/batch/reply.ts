// Batches against a service without a socket, and their answers as values.
import type { BatchFailure, BatchPicture, BatchSummary } from '../../../lib/contract/api/batch.js';
import type { Scope } from '../../../lib/store/types.js';
import { saveTemplate } from '../stores.js';
import type { Ask, Caller, World } from '../world.js';

export const SCOPES: readonly Scope[] = ['batch:write'];

export function textHotspot(key: string, y = 0) {
  return { key, label: `The ${key}`, type: 'text', x: 0, y, width: 90, height: 20, text: '' };
}

/** A template with the variables `title` and `photo`. */
export const RECORD = {
  name: 'Card',
  width: 100,
  height: 50,
  hotspots: [
    textHotspot('title'),
    { key: 'photo', label: 'Photo', type: 'image', x: 0, y: 0, width: 9, height: 9, url: 'https://a.example/a.png' },
  ],
};

export interface BatchReply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** The error of an answer that is no batch. */
  readonly json: Record<string, unknown>;
  readonly rows: readonly (BatchPicture | BatchFailure)[];
  readonly summary: BatchSummary | undefined;
}

export function parseLines(text: string): Pick<BatchReply, 'rows' | 'summary'> {
  const lines = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  const summary = lines.at(-1)?.done === true ? lines.pop() : undefined;
  return { rows: lines, summary };
}

export async function batch(
  world: World,
  { key }: Pick<Caller, 'key'>,
  body: unknown,
  { idempotencyKey, ...ask }: Ask & { readonly idempotencyKey?: string } = {},
): Promise<BatchReply> {
  const keys = idempotencyKey === undefined ? {} : { idempotencyKeys: [idempotencyKey] };
  const { status, headers, json, bytes } = await world.ask({ path: '/v1/batches', key, body, ...keys, ...ask });
  const isLines = headers.get('content-type') === 'application/x-ndjson';
  return { status, headers, json, ...(isLines ? parseLines(bytes.toString()) : { rows: [], summary: undefined }) };
}

/** A caller whose workspace has a template. */
export async function callerWith(world: World, credits = 100) {
  const caller = await world.caller({ scopes: SCOPES, credits });
  return { caller, templateId: await saveTemplate(world.store, caller.workspaceId, RECORD) };
}

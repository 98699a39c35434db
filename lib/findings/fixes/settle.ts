// Makes fixes of changes: each change is tried on the document, and is a fix if the finding is gone and no other has come.
import { applyPatch, type Operation } from 'rfc6902';
import type { Finding, FindingOptions, FixOperation } from '../../contract/messages/findings.js';
import { isDynamic } from '../../contract/template/expression-end.js';
import { RenderError } from '../../errors.js';
import { findInDocument } from '../document.js';
import type { MeasuredFinding } from '../rules.js';
import { sortFindings } from '../sort.js';
import type { Change } from './changes.js';

/** Changes that are tried for one document, and for one finding, and the milliseconds after which no more are. */
const MAX_TRIES = 80;
const MAX_TRIES_EACH = 14;
const MAX_MS = 5000;

export interface SettleOptions {
  /** The findings of a document that differs from the first in these changes; undefined if it can't be inspected. */
  again(document: unknown): Promise<readonly MeasuredFinding[] | undefined>;
  readonly now?: () => number;
}

/**
 * The findings of the laid-out document with those of the document itself, and fixes of them. `again`: the findings of a
 * document that differs from the first in a change; it rejects if that can't be laid out.
 */
export async function completeFindings(
  document: unknown,
  measured: readonly MeasuredFinding[],
  { ignore = [] }: FindingOptions,
  again: (document: unknown) => Promise<readonly MeasuredFinding[]>,
): Promise<Finding[]> {
  const withDocument = (found: readonly MeasuredFinding[], of: unknown) =>
    sortFindings([...found, ...findInDocument(of).filter(({ code }) => !ignore.includes(code))]);
  return await settleFixes(document, withDocument(measured, document), {
    async again(changed) {
      try {
        return withDocument(await again(changed), changed);
      } catch (error) {
        if (error instanceof RenderError) return undefined;
        throw error;
      }
    },
  });
}

/** The findings with their fixes. */
export async function settleFixes(
  document: unknown,
  found: readonly MeasuredFinding[],
  { again, now = () => performance.now() }: SettleOptions,
): Promise<Finding[]> {
  const started = now();
  let tries = 0;
  const settled: Finding[] = [];
  for (const { changes = [], ...finding } of found) {
    let fix: readonly FixOperation[] | undefined;
    for (const change of changes.slice(0, MAX_TRIES_EACH)) {
      const patch = patchOf(document, change);
      if (!patch) continue;
      if (tries++ >= MAX_TRIES || now() - started > MAX_MS) break;
      const after = await again(patched(document, patch));
      if (!after || !isMended(finding, found, after, isStructural(patch))) continue;
      fix = patch;
      break;
    }
    settled.push(fix ? { ...finding, fix } : finding);
  }
  return settled;
}

/** The document after a patch, a copy. Throws Error if it can't be applied. */
export function patched(document: unknown, patch: readonly FixOperation[]): unknown {
  const copy: unknown = structuredClone(document);
  const failed = applyPatch(copy, structuredClone(patch) as Operation[]).find((error) => error !== null);
  if (failed) throw failed;
  return copy;
}

/** The change as a patch of this document; undefined if it would overwrite an expression, or there is no such layer. */
function patchOf(document: unknown, change: Change): FixOperation[] | undefined {
  const patch: FixOperation[] = [];
  for (const operation of change) {
    if (operation.op === 'move') {
      patch.push(operation);
      continue;
    }
    const keys = operation.path
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const key = keys.pop();
    const owner = keys.reduce<unknown>(inside, document);
    if (key === undefined || typeof owner !== 'object' || owner === null) return undefined;
    const was = inside(owner, key);
    if (operation.op === 'remove') {
      if (was === undefined) return undefined;
      patch.push(operation);
    } else {
      if (isBound(was) || (typeof operation.value === 'number' && typeof was === 'string')) return undefined;
      if (was === operation.value) continue;
      patch.push({ ...operation, op: was === undefined ? 'add' : 'replace' });
    }
  }
  return patch.length > 0 ? patch : undefined;
}

function inside(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}

/** Whether an expression, a placeholder or a token gives the value. */
function isBound(value: unknown): boolean {
  return typeof value === 'string' && (isDynamic(value) || value.includes('{{') || value.includes('var(--'));
}

/** Whether a patch changes the paths of layers. */
function isStructural(patch: readonly FixOperation[]): boolean {
  return patch.some(({ op, path }) => op === 'move' || (op === 'remove' && /\/\d+$/.test(path)));
}

type Known = Pick<Finding, 'code' | 'path'>;

function isMended({ code, path }: Known, before: readonly Known[], after: readonly Known[], isMoved: boolean): boolean {
  if (after.length >= before.length) return false;
  if (isMoved) {
    const count = (list: readonly Known[], of: string) => list.filter((each) => each.code === of).length;
    if (count(after, code) >= count(before, code)) return false;
    return after.every((each) => count(after, each.code) <= count(before, each.code));
  }
  const known = new Set(before.map(keyOf));
  return after.every((each) => known.has(keyOf(each)) && !(each.code === code && layerOf(each.path) === layerOf(path)));
}

const keyOf = ({ code, path }: Known) => `${code} ${layerOf(path)}`;

/** The path without the field at its end. */
function layerOf(path: string): string {
  const found =
    /^(?:layers\[\d+\]|hotspots(?:\.[^.[]+|\["[^"]*"\])|background|variables\.[^.]+)(?:\.(?:layers|each|else)\[\d+\])*/.exec(
      path,
    );
  return found?.[0] ?? path;
}

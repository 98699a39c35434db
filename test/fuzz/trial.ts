// Runs one input: sends it as a request, judges the response, then renders the control scene in the same process.

import { createHash } from 'node:crypto';
import { outputSize } from '../../lib/contract/layers/output-size.js';
import { sizedRecord } from '../../lib/contract/template/sizes.js';
import { CodedError } from '../../lib/errors.js';
import { controlFor } from './control.js';
import { type Failure, judge } from './judge.js';
import { sharedNames } from './shared.js';
import type { Result, Subject } from './subject.js';
import type { Target } from './targets.js';

export interface Verdict {
  /** `200`, or the error code; `refused` if the input gave no request. */
  readonly outcome: string;
  readonly ms: number;
  /** Milliseconds of processor time, in the render process and in the server. */
  readonly cpuMs: number;
  readonly failure: Failure | undefined;
}

const COMMON = sharedNames();
/** Most CPU milliseconds for turning an input into a request. */
const MAX_PARENT_MS = 2000;

export class Trials {
  private readonly controls = new Map<string, { make: (turn: number) => Uint8Array; clean: string }>();
  private turn = 0;

  constructor(
    private readonly root: string,
    readonly subject: Subject,
  ) {}

  /** The target must have been prepared. */
  async run(target: Target, input: Uint8Array): Promise<Verdict> {
    const control = this.controls.get(target.name);
    if (!control) throw new Error(`${target.name} has no control yet`);
    const used = process.cpuUsage();
    const prepared = await requestOf(target, input);
    const { user, system } = process.cpuUsage(used);
    const readMs = (user + system) / 1000;
    let verdict: Verdict;
    if (prepared.request) {
      const result = await this.subject.ask(prepared.request);
      const failure = judge(result, canvasOf(prepared.request.body, prepared.request.record));
      const cpuMs = readMs + result.frontMs + result.renderCpuMs;
      verdict = { outcome: outcomeOf(result), ms: result.ms, cpuMs, failure };
    } else verdict = { outcome: prepared.outcome, ms: readMs, cpuMs: readMs, failure: prepared.failure };
    const { failure } = verdict;
    if (failure) return verdict;
    if (readMs > MAX_PARENT_MS)
      return { ...verdict, failure: { kind: 'slow parent', detail: `${Math.round(readMs)} ms to read` } };
    if (sharedNames() !== COMMON) return { ...verdict, failure: { kind: 'polluted', detail: 'in the parent' } };
    const after = await this.subject.ask({ body: control.make(++this.turn) });
    const picture = hashOf(after);
    if (picture === control.clean) return verdict;
    return { ...verdict, failure: { kind: 'bleed', detail: `the control came out as ${picture} ${after.message}` } };
  }

  /** Renders the controls of `targets` in a fresh process, before any other input. */
  async prepare(targets: readonly Target[]): Promise<void> {
    this.subject.renew();
    for (const { name } of targets) {
      if (this.controls.has(name)) continue;
      const make = controlFor(this.root, name);
      const result = await this.subject.ask({ body: make(0) });
      if (result.status !== 200) throw new Error(`the control of ${name} fails: ${result.message}`);
      this.controls.set(name, { make, clean: hashOf(result) });
    }
  }
}

type Prepared =
  | { readonly request: Awaited<ReturnType<Target['request']>> }
  | { readonly request?: undefined; readonly outcome: string; readonly failure: Failure | undefined };

async function requestOf(target: Target, input: Uint8Array): Promise<Prepared> {
  try {
    return { request: await target.request(input) };
  } catch (error) {
    if (error instanceof CodedError) return { outcome: `refused: ${error.code}`, failure: undefined };
    return { outcome: 'refused', failure: { kind: 'unexpected', detail: String((error as Error).stack) } };
  }
}

function outcomeOf({ status, code }: Result): string {
  return code ?? String(status);
}

function hashOf({ status, bytes }: Result): string {
  return `${status} ${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`;
}

/** The requested size of the image; undefined if the request has none, or the layers decide it. */
function canvasOf(body: Uint8Array, record: unknown): { width: number; height: number } | undefined {
  try {
    const { canvas: own, scale, size } = JSON.parse(Buffer.from(body).toString());
    const sized = typeof size === 'string' ? sizedRecord(Object(record), size) : record;
    const canvas = own ?? sized;
    const { width, height, autoWidth, autoHeight } = canvas;
    if (autoWidth === true || autoHeight === true) return undefined;
    if (typeof width !== 'number' || typeof height !== 'number') return undefined;
    return outputSize({ width, height, scale: (canvas === sized ? scale : undefined) ?? canvas.scale ?? 1 });
  } catch {
    return undefined;
  }
}

// The picture of a text that is being edited: drawn at every change by the engine, latest first. While the text can't be parsed
// or drawn, the last good picture stays.
import { type ReadonlySignal, signal } from '@preact/signals';
import { firstSyntaxError } from '../../lib/contract/json/parse.js';
import { RenderError } from '../../lib/errors.js';
import { type Engine, showPixels } from '../engine/engine.js';
import type { EncodedPicture, Picture, Source } from '../engine/messages.js';
import type { Finding } from '../json/findings.js';

/**
 * Milliseconds that a picture may still take once a later text took its place: enough to see something while typing, and not
 * so long as a picture on the web that does not arrive.
 */
const PATIENCE_MS = 1000;

export type Format = EncodedPicture['format'];

/** What the picture on screen is of. */
export interface Shown extends Omit<Picture, 'data'> {
  readonly source: Source;
}

export interface LivePreview {
  readonly shown: ReadonlySignal<Shown | undefined>;
  /** What is wrong or doubtful about the latest text. */
  readonly findings: ReadonlySignal<readonly Finding[]>;
  /** The payload of the latest text that is JSON. */
  readonly payload: ReadonlySignal<unknown>;
  /** Why the latest text has no picture; the one on screen is of an earlier text. */
  readonly isStale: ReadonlySignal<boolean>;
  readonly isDrawing: ReadonlySignal<boolean>;
  /** Draws a text, with variables if it is a template's record. */
  update(text: string, variables?: Source['variables']): void;
  /** Where the picture is shown. */
  attach(canvas: HTMLCanvasElement | null): void;
}

export function createLivePreview(engine: Engine, { patienceMs = PATIENCE_MS } = {}): LivePreview {
  const shown = signal<Shown | undefined>(undefined);
  const findings = signal<readonly Finding[]>([]);
  const payload = signal<unknown>(undefined);
  const isStale = signal(false);
  const isDrawing = signal(false);
  let canvas: HTMLCanvasElement | null = null;
  /** For a canvas that comes later. */
  let last: Picture | undefined;
  let latest = 0;
  /** Gives up the latest picture, if it does not come soon. */
  let giveUp = () => {};

  /** None again is no change: nothing is marked and shown anew. */
  function find(found: readonly Finding[]): void {
    if (found.length > 0 || findings.value.length > 0) findings.value = found;
  }

  async function draw(source: Source): Promise<void> {
    const own = ++latest;
    isDrawing.value = true;
    // what was wrong with an earlier text's syntax has no place in this one
    if (findings.value.some(isSyntaxError)) findings.value = findings.value.filter((each) => !isSyntaxError(each));
    const replaced = new AbortController();
    giveUp();
    giveUp = () => void setTimeout(() => replaced.abort(), patienceMs);
    const drawn = engine.draw(source, { signal: replaced.signal }).then(
      (picture) => {
        last = picture;
        if (canvas) showPixels(canvas, picture);
        const { data: _pixels, ...others } = picture;
        shown.value = { ...others, source };
        return picture.warnings.map((each) => finding('warning', each));
      },
      (error: unknown) => (isReplaced(error) ? undefined : faultsOf(error)),
    );
    // in the queue behind the picture, which comes first
    const checked = engine.validate(source).catch(() => undefined);
    const [found, validation] = [await drawn, await checked];
    if (own !== latest) return;
    isDrawing.value = false;
    isStale.value = found?.some(({ severity }) => severity === 'error') ?? false;
    find(
      withoutRepeats([
        ...(validation?.details ?? []).map((each) => finding('error', each)),
        ...(found ?? []),
        ...(validation?.warnings ?? []).map((each) => finding('warning', each)),
      ]),
    );
  }

  return {
    shown,
    findings,
    payload,
    isStale,
    isDrawing,
    update(text, variables) {
      let parsed: unknown;
      try {
        parsed = JSON.parse(text);
      } catch {
        latest++;
        giveUp();
        isDrawing.value = false;
        isStale.value = true;
        find([{ severity: 'error', path: '', ...firstSyntaxError(text) }]);
        return;
      }
      payload.value = parsed;
      void draw({ payload: parsed, variables });
    },
    attach(next) {
      canvas = next;
      if (canvas && last) showPixels(canvas, last);
    },
  };
}

/** Whether a later payload took this one's place. */
const isReplaced = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

const isSyntaxError = ({ position }: Finding): boolean => position !== undefined;

type Message = { readonly path: string; readonly message: string };

const finding = (severity: Finding['severity'], { path, message }: Message): Finding => ({ severity, path, message });

function faultsOf(error: unknown): Finding[] {
  const { message } = error as Error;
  const details = error instanceof RenderError ? error.details : [];
  return details.length > 0 ? details.map((each) => finding('error', each)) : [finding('error', { path: '', message })];
}

function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const kept = new Map<string, Finding>();
  for (const each of findings) {
    const key = `${each.path}\n${each.message}`;
    if (!kept.has(key)) kept.set(key, each);
  }
  return [...kept.values()];
}

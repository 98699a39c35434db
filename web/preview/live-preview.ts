// The picture of a text that is being edited: the engine draws it at every change, latest first. While the text can't be parsed
// or drawn, the last good picture stays.
import { type ReadonlySignal, signal } from '@preact/signals';
import { firstSyntaxError } from '../../lib/contract/json/parse.js';
import { CodedError } from '../../lib/errors.js';
import { awaitPicture } from '../app/rendering.js';
import { type Engine, showPixels } from '../engine/engine.js';
import type { DrawJob, EncodedPicture, Picture, Source } from '../engine/messages.js';
import type { Finding } from '../json/findings.js';

/**
 * Milliseconds that a picture may still take after a later text has replaced it: long enough to see something while typing, and
 * shorter than the wait for a picture on the web that never arrives.
 */
const PATIENCE_MS = 1000;

/** Milliseconds without a change after which the latest text is checked: checks of earlier texts would only delay pictures. */
const QUIET_MS = 100;

export type Format = EncodedPicture['format'];

/** The picture on screen with its source. */
export interface Shown extends Omit<Picture, 'data' | 'part' | 'serial'> {
  readonly source: DrawJob;
}

export interface LivePreview {
  readonly latestPicture: ReadonlySignal<Shown | undefined>;
  /** Errors and warnings about the latest text. */
  readonly findings: ReadonlySignal<readonly Finding[]>;
  /** The payload of the latest text that is valid JSON. */
  readonly payload: ReadonlySignal<unknown>;
  /** Whether the picture on screen is of an earlier text, because the latest has none. */
  readonly isStale: ReadonlySignal<boolean>;
  readonly isDrawing: ReadonlySignal<boolean>;
  /** Draws a text's payload, with variables and in one of its sizes if it is a template's record. */
  update(text: string, variables?: Source['variables'], size?: string): void;
  /** Draws a payload, and finds the carets of one of its texts. */
  show(job: DrawJob): void;
  /** Draws the latest payload again, after a change of an asset or template that it names. */
  redraw(): void;
  /** Sets the canvas that shows the picture. */
  attach(canvas: HTMLCanvasElement | null): void;
}

export function createLivePreview(
  engine: Engine,
  { patienceMs = PATIENCE_MS, pause = () => new Promise<void>((resolve) => setTimeout(resolve, QUIET_MS)) } = {},
): LivePreview {
  const latestPicture = signal<Shown | undefined>(undefined);
  const findings = signal<readonly Finding[]>([]);
  const payload = signal<unknown>(undefined);
  const isStale = signal(false);
  const isDrawing = signal(false);
  let canvas: HTMLCanvasElement | null = null;
  /** Serial of the picture in the canvas; undefined if there is none, or one was left out. */
  let serial: number | undefined;
  let latest = 0;
  let latestSource: DrawJob | undefined;
  /** Gives up the latest picture if it doesn't come soon. */
  let giveUp = () => {};

  /** Sets the findings. An empty list after an empty list is no change, so nothing is marked and shown anew. */
  function find(found: readonly Finding[]): void {
    if (found.length > 0 || findings.peek().length > 0) findings.value = found;
  }

  async function draw(source: DrawJob): Promise<void> {
    const own = ++latest;
    isDrawing.value = true;
    // an earlier text's syntax errors don't apply to this one; an effect that draws must not depend on findings
    const earlier = findings.peek();
    if (earlier.some(isSyntaxError)) findings.value = earlier.filter((each) => !isSyntaxError(each));
    const replaced = new AbortController();
    giveUp();
    giveUp = () => void setTimeout(() => replaced.abort(), patienceMs);
    const options = { carets: source.carets, isWhole: serial === undefined, signal: replaced.signal };
    const shownSoon = engine.draw(source, options).then(
      (picture) => {
        if (!place(picture)) return 'incomplete';
        const { data: _pixels, part: _part, serial: _serial, ...others } = picture;
        latestPicture.value = { ...others, source };
        return picture.warnings.map((each) => finding('warning', each));
      },
      (error: unknown) => (isReplaced(error) ? undefined : faultsOf(error)),
    );
    awaitPicture(shownSoon);
    const found = await shownSoon;
    if (own !== latest) return;
    if (found === 'incomplete') return draw(source);
    isDrawing.value = false;
    isStale.value = found?.some(({ severity }) => severity === 'error') ?? false;
    await pause();
    if (own !== latest) return;
    const validation = await engine.validate(source).catch(() => undefined);
    if (own !== latest) return;
    find(
      withoutRepeats([
        ...(validation?.details ?? []).map((each) => finding('error', each)),
        ...(found ?? []),
        ...(validation?.warnings ?? []).map((each) => finding('warning', each)),
      ]),
    );
  }

  /** Shows a picture in the canvas. Returns whether the canvas then shows it completely. */
  function place(picture: Picture): boolean {
    const isComplete = !picture.part || picture.serial - 1 === serial;
    serial = canvas && isComplete ? picture.serial : undefined;
    if (canvas && isComplete) showPixels(canvas, picture);
    return isComplete;
  }

  function redraw(): void {
    if (latestSource) void draw(latestSource);
  }

  function show(source: DrawJob): void {
    payload.value = source.payload;
    latestSource = source;
    void draw(source);
  }

  return {
    latestPicture,
    findings,
    payload,
    isStale,
    isDrawing,
    show,
    redraw,
    update(text, variables, size) {
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
      show({ payload: parsed, variables, size });
    },
    attach(next) {
      canvas = next;
      serial = undefined;
      if (canvas && latestPicture.peek()) redraw();
    },
  };
}

/** Whether a later payload replaced this one. */
const isReplaced = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

const isSyntaxError = ({ position }: Finding): boolean => position !== undefined;

type Message = Pick<Finding, 'code' | 'path' | 'message'>;

const finding = (severity: Finding['severity'], { code, path, message }: Message): Finding => ({
  severity,
  code,
  path,
  message,
});

/** The faults of a payload that an error names, or the error as the only one. */
export function faultsOf(error: unknown): Finding[] {
  const { message } = error as Error;
  const details = error instanceof CodedError ? error.details : [];
  return details.length > 0 ? details.map((each) => finding('error', each)) : [finding('error', { path: '', message })];
}

function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const findingsByKey = new Map<string, Finding>();
  for (const each of findings) {
    const key = `${each.path}\n${each.message}`;
    if (!findingsByKey.has(key)) findingsByKey.set(key, each);
  }
  return [...findingsByKey.values()];
}

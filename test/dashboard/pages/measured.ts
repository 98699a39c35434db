// A person's work on the example card, with the times of keys, pictures and tasks: typing in the playground, dragging and
// typing in the editor.
import { MAX_STEPS } from '../../../web/document/history.js';
import type { Designer } from './editor/designer.js';
import type { Visitor } from './visitor.js';

const KEYS = 80;
/** Keys before measuring starts, so that fonts are loaded and hot loops compiled. */
const WARM_UP_KEYS = 20;
const MOVES = 180;
const WARM_UP_MOVES = 60;
/** Milliseconds from one move of the pointer to the next. */
const MOVE_MS = 1000 / 60;
/** Place of the headline on the card. */
const HEADLINE = [200, 200] as const;

interface Recorded {
  readonly painted: { readonly at: number; readonly width: number }[];
  readonly keys: number[];
  readonly tasks: number[];
}

/** Notes when keys are pressed, when pixels are shown, and tasks that keep the main thread busy. */
export async function record(visitor: Visitor): Promise<void> {
  await visitor.page.evaluateOnNewDocument(() => {
    const recorded: Recorded = { painted: [], keys: [], tasks: [] };
    Object.assign(globalThis, { recorded });
    const { putImageData } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.putImageData = function (this: CanvasRenderingContext2D, ...values: unknown[]) {
      (putImageData as (...given: unknown[]) => void).apply(this, values);
      recorded.painted.push({ at: performance.now(), width: this.canvas.width });
    } as typeof putImageData;
    addEventListener('keydown', ({ timeStamp }) => recorded.keys.push(timeStamp), true);
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) recorded.tasks.push(duration);
    }).observe({ type: 'longtask', buffered: true });
  });
}

export const recordedIn = (visitor: Visitor) =>
  visitor.page.evaluate(() => (globalThis as unknown as { recorded: Recorded }).recorded);

export function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.floor(sorted.length * part)]!;
}

/** Milliseconds. */
export interface Typed {
  /** From each key to its picture, the shortest first. */
  readonly keys: readonly number[];
  /** The longest task of the main thread. */
  readonly longest: number;
}

/** Types and deletes a letter again and again. */
async function typeKeys(visitor: Visitor): Promise<Typed> {
  const times: number[] = [];
  let tasksBefore = 0;
  for (let key = 0; key < WARM_UP_KEYS + KEYS; key++) {
    const start = await recordedIn(visitor);
    const before = start.painted.length;
    if (key === WARM_UP_KEYS) tasksBefore = start.tasks.length;
    await visitor.page.keyboard.press(key % 2 === 0 ? 'x' : 'Backspace');
    await visitor.until(
      async () => (await recordedIn(visitor)).painted.length > before,
      () => `key ${key} drew nothing`,
    );
    const { keys, painted } = await recordedIn(visitor);
    if (key >= WARM_UP_KEYS) times.push(painted[before]!.at - keys.at(-1)!);
  }
  const { tasks } = await recordedIn(visitor);
  return { keys: times.sort((a, b) => a - b), longest: Math.max(0, ...tasks.slice(tasksBefore)) };
}

/** Types into the headline of the card in the playground. */
export async function typePayload(visitor: Visitor, text: string): Promise<Typed> {
  const { keyboard } = visitor.page;
  await visitor.goto('/dashboard/playground');
  await (await visitor.find('textbox', 'Payload')).focus();
  await keyboard.down('Control');
  await keyboard.press('a');
  await keyboard.up('Control');
  await keyboard.sendCharacter(text);
  // the cursor goes to the end of the headline
  const line = text.split('\n').findIndex((each) => each.includes('"text": "Five mornings'));
  await keyboard.down('Control');
  await keyboard.press('Home');
  await keyboard.up('Control');
  for (let at = 0; at < line; at++) await keyboard.press('ArrowDown');
  await keyboard.press('End');
  for (let at = 0; at < 2; at++) await keyboard.press('ArrowLeft');
  await visitor.until(
    async () => (await recordedIn(visitor)).painted.some(({ width }) => width === 1200),
    () => 'no picture came',
  );
  return typeKeys(visitor);
}

/** Types into the headline of the card on the canvas of the editor. */
export async function typeHeadline(designer: Designer): Promise<Typed> {
  const { visitor } = designer;
  const [x, y] = await designer.at(HEADLINE);
  await visitor.page.mouse.click(x, y);
  await visitor.page.mouse.click(x, y, { count: 2 });
  await visitor.until(
    async () => (await visitor.page.$('.text-caret, .text-selection')) !== null,
    () => 'no text is edited',
  );
  await visitor.page.keyboard.press('End');
  return typeKeys(visitor);
}

/** Edits before the heap is measured: as many as the history keeps. */
const FIRST_EDITS = MAX_STEPS;
const EDITS = 1000;

/** Bytes by which the heap of the page has grown after a thousand edits, beyond those of a full history. */
export async function growthByEdits(designer: Designer): Promise<number> {
  const { visitor } = designer;
  await visitor.page.keyboard.press('Escape');
  await designer.click(HEADLINE);
  await visitor.page.focus('[aria-label="Canvas"]');
  const session = await visitor.page.createCDPSession();
  const editAndMeasure = async (edits: number) => {
    for (let edit = 0; edit < edits; edit++)
      await visitor.page.keyboard.press(edit % 2 === 0 ? 'ArrowRight' : 'ArrowLeft');
    await visitor.drawn();
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize;
  };
  const before = await editAndMeasure(FIRST_EDITS);
  return (await editAndMeasure(EDITS)) - before;
}

interface Dragged {
  /** Pictures a second. */
  readonly rate: number;
  /** Milliseconds of the longest task of the main thread. */
  readonly longest: number;
}

/** Drags the headline of the card in circles, sixty moves a second. */
export async function dragHeadline(designer: Designer): Promise<Dragged> {
  const { visitor } = designer;
  const { mouse } = visitor.page;
  const [x, y] = await designer.at(HEADLINE);
  await mouse.click(x, y);
  await mouse.move(x, y);
  await visitor.page.keyboard.down('Control');
  await mouse.down();
  let started = await recordedIn(visitor);
  const begun = performance.now();
  for (let move = 0; move < WARM_UP_MOVES + MOVES; move++) {
    if (move === WARM_UP_MOVES) started = await recordedIn(visitor);
    const turn = (2 * Math.PI * move) / MOVES;
    await mouse.move(x + 60 * Math.cos(turn) - 60, y + 60 * Math.sin(turn));
    const rest = begun + (move + 1) * MOVE_MS - performance.now();
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
  }
  const { painted, tasks } = await recordedIn(visitor);
  await mouse.move(x, y);
  await mouse.up();
  await visitor.page.keyboard.up('Control');
  const times = painted.slice(started.painted.length).map((each) => each.at);
  const seconds = (times.at(-1)! - times[0]!) / 1000;
  return { rate: (times.length - 1) / seconds, longest: Math.max(0, ...tasks.slice(started.tasks.length)) };
}

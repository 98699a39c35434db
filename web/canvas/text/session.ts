// Edits one text: its selection, the changes by keys and styles, and the caret's place in the picture on screen.
import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type Affine, compose, invert } from '../../../lib/geometry/affine.js';
import { layerAt, pictureSize } from '../../document/commands.js';
import { type EditorDocument, locate, type NodeId, nameOf } from '../../document/document.js';
import type { Json } from '../../document/json.js';
import {
  normalLineEnds,
  plainText,
  type RichText,
  replaceRange,
  richTextOf,
  typeText,
  withContent,
} from '../../document/rich-text.js';
import { type StyleChange, type TextRange, withStyle } from '../../document/text-style.js';
import { mapPoint } from '../geometry/frames.js';
import type { OpenEditor } from '../open-editor.js';
import { wordAt } from './boundaries.js';
import { type Area, type CaretStop, type Carets, selectedAreas, stopAt, stopNear } from './carets.js';
import { hasText } from './drawing.js';
import { takeOpeningPoint } from './opening.js';
import { isSameRun, type Replacement, type Typed } from './typing.js';

/** A selection as offsets in UTF-16 units of the text. */
export interface Selection {
  readonly anchor: number;
  readonly focus: number;
  /** The stop of the focus, if its offset has several. */
  readonly stop?: CaretStop | undefined;
  /** The x that Up and Down keep, in the coordinates of the layer's box. */
  readonly x?: number | undefined;
}

/** The text as the picture on screen shows it. */
export interface ShownText {
  readonly carets: Carets;
  /** Maps the coordinates of the layer's box to the canvas, in CSS pixels. */
  readonly toCanvas: Affine;
  /** `[x, y, width, height]` */
  readonly box: readonly [number, number, number, number];
  /** Whether the picture shows the present text. */
  readonly isCurrent: boolean;
  readonly caret: CaretStop | undefined;
  readonly areas: readonly Area[];
}

export interface TextSession {
  readonly id: NodeId;
  readonly editor: OpenEditor;
  readonly name: ReadonlySignal<string>;
  /** The raw layer. */
  readonly raw: ReadonlySignal<Json>;
  readonly text: ReadonlySignal<string>;
  readonly selection: ReadonlySignal<Selection>;
  readonly range: ReadonlySignal<TextRange>;
  readonly visibleText: ReadonlySignal<ShownText | undefined>;
  /** Styles for the next typed text at the caret. */
  readonly pending: ReadonlySignal<readonly StyleChange[]>;
  select(next: Selection): void;
  /** Types a change. `isComposing` says that an input method is active and may still change its text. */
  type(change: Replacement, options: { readonly time: number; readonly isComposing?: boolean }): void;
  paste(content: RichText): void;
  style(change: StyleChange, label: string, merge?: string): void;
  /** Ends editing and keeps the text. */
  end(): void;
  close(): void;
}

export const rangeOf = ({ anchor, focus }: Selection): TextRange => ({
  start: Math.min(anchor, focus),
  end: Math.max(anchor, focus),
});

/** Number of texts whose selections are kept while their pictures are pending. */
const MAX_AWAITED = 100;

export function createTextSession(editor: OpenEditor, id: NodeId): TextSession {
  const { store, preview, placements } = editor;
  store.endStep();
  const raw = computed(() => layerAt(store.document.value, id));
  const text = computed(() => plainText(richTextOf(raw.value)));
  const name = computed(() => {
    const node = locate(store.document.value, id)?.node;
    return node ? nameOf(node) : '';
  });
  let opening = takeOpeningPoint(editor);
  const all = { anchor: 0, focus: text.peek().length };
  const selection: Signal<Selection> = signal(opening ? { anchor: all.focus, focus: all.focus } : all);
  const pending: Signal<readonly StyleChange[]> = signal([]);
  /** The selection of each document, for undo. */
  const selections = new WeakMap<EditorDocument, Selection>();
  /** The last selection of each text whose picture may still come. */
  const awaited: { readonly text: string; selection: Selection }[] = [];
  let isOwnChange = false;
  let run = 0;
  let last: Typed | undefined;

  function place(next: Selection): void {
    const known = awaited.at(-1);
    if (known?.text === text.peek()) known.selection = next;
    else awaited.push({ text: text.peek(), selection: next });
    if (awaited.length > MAX_AWAITED) awaited.shift();
    selection.value = next;
    selections.set(store.document.peek(), next);
  }
  place(selection.peek());

  function change(next: Json, after: Selection, label: string, merge?: string): void {
    const before = raw.peek();
    const fields: Record<string, unknown> = {};
    for (const field of new Set([...Object.keys(before), ...Object.keys(next)])) {
      if (before[field] !== next[field]) fields[field] = next[field];
    }
    isOwnChange = true;
    batch(() => {
      store.dispatch({ type: 'change', changes: [{ id, fields }] }, { label, merge });
      place(after);
    });
    isOwnChange = false;
  }

  function newStep(): void {
    run++;
    last = undefined;
  }

  const stopFollowing = effect(() => {
    const document = store.document.value;
    if (isOwnChange) return;
    if (!hasText(document, id)) {
      editor.editedText.value = undefined;
      return;
    }
    // undo and redo, and changes of other parts of the page
    const known = selections.get(document);
    const { length } = text.value;
    const { anchor, focus } = known ?? selection.peek();
    newStep();
    place(known ?? { anchor: Math.min(anchor, length), focus: Math.min(focus, length) });
  });

  let shownLast: ShownText | undefined;
  const visibleText = computed((): ShownText | undefined => {
    const picture = preview.latestPicture.value;
    const placement = placements.value.get(id);
    const found = picture?.carets;
    const current = text.value;
    const own = selection.value;
    if (!picture || !found || !placement || found.recordPath !== placement.recordPath || found.lines.length === 0) {
      return shownLast;
    }
    const carets = withNormalLineEnds(found);
    const isCurrent = carets.text === current;
    // an earlier picture has its own caret
    const known = isCurrent ? own : awaited.findLast((each) => each.text === carets.text)?.selection;
    if (!known) return shownLast;
    const { start, end } = rangeOf(known);
    const scale = pictureSize(store.document.peek(), picture).width / picture.width;
    const [a, b, c, d, e, f] = placement.transform;
    shownLast = {
      carets,
      toCanvas: compose({ a, b, c, d, e, f }, { a: scale, b: 0, c: 0, d: scale, e: 0, f: 0 }),
      box: placement.box,
      isCurrent,
      caret: stopAt(carets, known.focus, known.stop),
      areas: selectedAreas(carets, start, end),
    };
    return shownLast;
  });

  const stopOpening = effect(() => {
    const at = opening;
    if (!at || !visibleText.value) return;
    opening = undefined;
    const inverse = invert(visibleText.value.toCanvas);
    const stop = inverse && stopNear(visibleText.value.carets, mapPoint(inverse, at));
    if (!stop || !visibleText.value.isCurrent) return;
    const { start, end } = wordAt(text.peek(), stop.offset);
    place({ anchor: start, focus: end });
  });

  return {
    id,
    editor,
    name,
    raw,
    text,
    selection,
    range: computed(() => rangeOf(selection.value)),
    visibleText,
    pending,
    select(next) {
      const { anchor, focus } = selection.peek();
      opening = undefined;
      if (anchor !== next.anchor || focus !== next.focus) {
        newStep();
        pending.value = [];
      }
      place(next);
    },
    type(replacement, { time, isComposing = false }) {
      opening = undefined;
      const typed = { ...replacement, time };
      if (!isSameRun(last, typed) && !(isComposing && last)) run++;
      last = typed;
      const { start, end, text: added } = replacement;
      let next = withContent(raw.peek(), typeText(richTextOf(raw.peek()), start, end, added));
      const after = start + added.length;
      if (added !== '') {
        for (const each of pending.peek()) next = withStyle(next, { start, end: after }, each);
        pending.value = [];
      }
      change(next, { anchor: after, focus: after }, `Edit text of ${name.peek()}`, `text ${id} ${run}`);
    },
    paste(content) {
      const { start, end } = rangeOf(selection.peek());
      const after = start + plainText(content).length;
      const next = withContent(raw.peek(), replaceRange(richTextOf(raw.peek()), start, end, content));
      newStep();
      change(next, { anchor: after, focus: after }, `Paste into ${name.peek()}`);
    },
    style(styleChange, label, merge) {
      const range = rangeOf(selection.peek());
      if (range.start === range.end && text.peek() !== '') {
        const field = (each: StyleChange) => ('toggle' in each ? each.toggle : each.field);
        pending.value = [...pending.peek().filter((each) => field(each) !== field(styleChange)), styleChange];
        return;
      }
      newStep();
      change(withStyle(raw.peek(), range, styleChange), selection.peek(), `${label} in ${name.peek()}`, merge);
    },
    end() {
      if (editor.editedText.peek() === id) editor.editedText.value = undefined;
    },
    close() {
      stopFollowing();
      stopOpening();
      store.endStep();
    },
  };
}

/** Converts line ends to `\n`, as texts are edited. */
function withNormalLineEnds({ text, lines, stops }: Carets): Carets {
  if (!text.includes('\r')) return { text, lines, stops };
  const normal = (offset: number) => normalLineEnds(text.slice(0, offset)).length;
  return {
    text: normalLineEnds(text),
    lines: lines.map((line) => ({ ...line, start: normal(line.start), end: normal(line.end) })),
    stops: stops.map((stop) => ({ ...stop, offset: normal(stop.offset) })),
  };
}

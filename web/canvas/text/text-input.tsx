// The input for the keys of an edited text: an invisible text field, so that input methods, dead keys, on-screen keyboards, the
// clipboard and screen readers work as in any other. It always has the text and the selection.
import { effect } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { typeWithPicture, withPicture } from '../../app/rendering.js';
import { keysOf } from '../../document/actions.js';
import { isList, isObject, type Json } from '../../document/json.js';
import { normalLineEnds, richTextOf, slice } from '../../document/rich-text.js';
import { selectionAfter } from './keys.js';
import { takeTyped } from './opening.js';
import type { TextSession } from './session.js';
import { shortcutFor, toggleStyle } from './styles.js';
import { plainChange, replacementOf } from './typing.js';

/** Media type of copied spans, as JSON, for pasting them here. */
const SPANS_TYPE = 'application/x-platen-spans+json';

interface TextInputProps {
  readonly session: TextSession;
  /** The caret on the stage, where input methods show their suggestions. */
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

export function TextInput({ session, x, y, height }: TextInputProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const isComposing = useRef(false);
  /** Copies the session's text and selection into the field, if they differ: writing them would interrupt an input method. */
  const update = () => {
    const { anchor, focus } = session.selection.peek();
    if (field.current && !isComposing.current) write(field.current, session.text.peek(), anchor, focus);
  };
  useLayoutEffect(() => {
    const typed = takeTyped(session.editor, session.id);
    const change = typed && replacementOf(session.text.peek(), typed.value, typed.selectionEnd);
    if (change) session.type(change, { time: performance.now() });
    field.current!.focus({ preventScroll: true });
    update();
    return effect(() => {
      session.selection.value;
      session.text.value;
      withPicture(update);
    });
  }, [session]);
  useEffect(() => {
    const onSelectionChange = () => {
      const { current } = field;
      if (!current || isComposing.current || document.activeElement !== current) return;
      if (normalLineEnds(current.value) === session.text.peek()) readSelection(session, current);
    };
    document.addEventListener('selectionchange', onSelectionChange);
    return () => document.removeEventListener('selectionchange', onSelectionChange);
  }, [session]);

  const onInput = (event: InputEvent) => {
    const { value, selectionEnd } = field.current!;
    const change = replacementOf(session.text.peek(), value, selectionEnd);
    if (change) session.type(change, { time: event.timeStamp, isComposing: isComposing.current });
  };
  return (
    <textarea
      ref={field}
      class="text-input"
      aria-label={`Text of ${session.name.value}`}
      dir="auto"
      wrap="off"
      spellcheck={false}
      autocomplete="off"
      autocapitalize="off"
      style={{ left: `${x}px`, top: `${y}px`, height: `${height}px`, fontSize: `${height * 0.8}px` }}
      onBeforeInput={(event) => {
        const { inputType } = event;
        if (inputType === 'historyUndo' || inputType === 'historyRedo') {
          event.preventDefault();
          if (inputType === 'historyUndo') session.editor.store.undo();
          else session.editor.store.redo();
          return;
        }
        const change = event.cancelable && plainChange(event, session.text.peek(), session.range.peek());
        if (!change) return;
        // typed without the field, which a browser would paint first
        event.preventDefault();
        typeWithPicture(() => session.type(change, { time: event.timeStamp }));
      }}
      onInput={onInput}
      onCompositionStart={() => {
        isComposing.current = true;
      }}
      onCompositionEnd={() => {
        isComposing.current = false;
        readSelection(session, field.current!);
      }}
      onKeyDown={(event) => {
        if (event.isComposing || !onKey(session, event)) return;
        event.preventDefault();
        event.stopPropagation();
      }}
      onCopy={(event) => copy(session, event)}
      onCut={(event) => {
        if (copy(session, event)) session.type({ ...session.range.peek(), text: '' }, { time: event.timeStamp });
      }}
      onPaste={(event) => {
        const content = spansOf(event.clipboardData?.getData(SPANS_TYPE));
        event.stopPropagation();
        if (!content) return;
        event.preventDefault();
        session.paste(content);
      }}
    />
  );
}

/** Writes only differences: browsers move the selection and scroll on a write. */
function write(field: HTMLTextAreaElement, text: string, anchor: number, focus: number): void {
  if (field.value !== text) field.value = text;
  const [start, end] = [Math.min(anchor, focus), Math.max(anchor, focus)];
  if (field.selectionStart === start && field.selectionEnd === end) return;
  field.setSelectionRange(start, end, focus < anchor ? 'backward' : 'forward');
}

function readSelection(
  session: TextSession,
  { selectionStart, selectionEnd, selectionDirection }: HTMLTextAreaElement,
) {
  const { start, end } = session.range.peek();
  if (start === selectionStart && end === selectionEnd) return;
  const isBackward = selectionDirection === 'backward';
  session.select({
    anchor: isBackward ? selectionEnd : selectionStart,
    focus: isBackward ? selectionStart : selectionEnd,
  });
}

/** Handles a key. Returns whether it means something that the text field doesn't do by itself. */
function onKey(session: TextSession, event: KeyboardEvent): boolean {
  const { store } = session.editor;
  const keys = keysOf(event);
  switch (keys) {
    case 'Escape':
      session.end();
      return true;
    case 'Ctrl+Z':
      store.undo();
      return true;
    case 'Ctrl+Shift+Z':
    case 'Ctrl+Y':
      store.redo();
      return true;
  }
  const toggle = shortcutFor(keys);
  if (toggle) {
    toggleStyle(session, toggle);
    return true;
  }
  const visibleText = session.visibleText.peek();
  // before the text's picture arrives, the text field moves the caret
  if (!visibleText?.isCurrent) return false;
  const next = selectionAfter(visibleText.carets, session.selection.peek(), event);
  if (next) session.select(next);
  return next !== undefined;
}

function copy(session: TextSession, event: ClipboardEvent): boolean {
  const { start, end } = session.range.peek();
  event.stopPropagation();
  if (start === end || !event.clipboardData) return false;
  event.preventDefault();
  const spans = slice(richTextOf(session.raw.peek()), start, end).map(({ text, fields }) => ({ ...fields, text }));
  event.clipboardData.setData('text/plain', session.text.peek().slice(start, end));
  event.clipboardData.setData(SPANS_TYPE, JSON.stringify(spans));
  return true;
}

function spansOf(json: string | undefined) {
  if (!json) return undefined;
  try {
    const spans: unknown = JSON.parse(json);
    return isList(spans) && spans.every(isObject) ? richTextOf({ spans } as Json) : undefined;
  } catch {
    return undefined;
  }
}

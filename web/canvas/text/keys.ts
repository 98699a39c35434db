// Keys that move the caret in visual order.
import { wordEdge } from './boundaries.js';
import { type CaretStop, type Carets, lineEdge, sideOf, stopAt, stopBeside, stopInLine } from './carets.js';
import { rangeOf, type Selection } from './session.js';

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey'>;

const ARROWS: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 };

/** Returns the selection after a key; undefined if the key moves no caret. */
export function selectionAfter(carets: Carets, selection: Selection, keys: Keys): Selection | undefined {
  const from = stopAt(carets, selection.focus, selection.stop);
  if (!from) return undefined;
  const { key, shiftKey, metaKey } = keys;
  const isWord = keys.ctrlKey || keys.altKey;
  const to = (offset: number, stop?: CaretStop, x?: number): Selection => ({
    anchor: shiftKey ? selection.anchor : offset,
    focus: offset,
    stop,
    x,
  });
  const toStop = (stop: CaretStop, x?: number) => to(stop.offset, stop, x);
  const direction = ARROWS[key] ?? (key === 'Home' || key === 'PageUp' ? -1 : 1);
  const toEnd = () => to(direction < 0 ? 0 : carets.text.length);
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowRight': {
      const isLeftToRight = carets.lines[from.line]?.direction !== 'rtl';
      if (metaKey) return toStop(lineEdge(carets, from, direction > 0 === isLeftToRight ? 1 : -1));
      if (isWord) return to(wordEdge(carets.text, selection.focus, direction > 0 === isLeftToRight ? 1 : -1));
      const { start, end } = rangeOf(selection);
      if (shiftKey || start === end) return toStop(stopBeside(carets, from, direction));
      const [first, last] = [stopAt(carets, start), stopAt(carets, end)];
      return first && last && toStop(sideOf(carets, first, last, direction));
    }
    case 'ArrowUp':
    case 'ArrowDown': {
      if (metaKey || isWord) return toEnd();
      const x = selection.x ?? from.x;
      return toStop(stopInLine(carets, from, direction, x), x);
    }
    case 'Home':
    case 'End':
      return keys.ctrlKey ? toEnd() : toStop(lineEdge(carets, from, direction));
    case 'PageUp':
    case 'PageDown':
      return toEnd();
  }
  return undefined;
}

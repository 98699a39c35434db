// The editor's shortcuts, which work wherever the focus is.
import { useEffect, useRef } from 'preact/hooks';
import { keysOf } from '../../document/actions.js';

export interface EditorKeys {
  readonly undo: () => void;
  readonly redo: () => void;
  readonly save: () => void;
  readonly showShortcuts: () => void;
}

export function useEditorKeys(keys: EditorKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
      const pressed = keysOf(event);
      const action =
        pressed === 'Ctrl+S' ? latest.current.save : isInField(event) ? undefined : actionOf(latest.current, pressed);
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

function actionOf({ undo, redo, showShortcuts }: EditorKeys, pressed: string): (() => void) | undefined {
  if (pressed === 'Ctrl+Z') return undo;
  if (pressed === 'Ctrl+Shift+Z' || pressed === 'Ctrl+Y') return redo;
  return pressed === '?' ? showShortcuts : undefined;
}

/** Whether the keys go to a text field, which has its own undo. */
function isInField(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('textarea, select, input:not([type="checkbox"], [type="radio"], [type="color"])'))
  );
}

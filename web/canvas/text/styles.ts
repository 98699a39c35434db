// Styles that keys and the toolbar give to the selected text.
import { hasStyle, type StyleChange, type StyleField, sharedStyle, type Toggle } from '../../document/text-style.js';
import type { TextSession } from './session.js';

export const TOGGLES: readonly { readonly toggle: Toggle; readonly name: string; readonly keys: string }[] = [
  { toggle: 'bold', name: 'Bold', keys: 'Ctrl+B' },
  { toggle: 'italic', name: 'Italic', keys: 'Ctrl+I' },
  { toggle: 'underline', name: 'Underline', keys: 'Ctrl+U' },
  { toggle: 'strike', name: 'Strike', keys: 'Ctrl+Shift+X' },
];

export const shortcutFor = (keys: string): Toggle | undefined => TOGGLES.find((each) => each.keys === keys)?.toggle;

/** Whether the selected text has a style, or the next typed text gets it. */
export function isStyleOn({ raw, range, pending }: TextSession, toggle: Toggle): boolean {
  const next = pending.value.find((each) => 'toggle' in each && each.toggle === toggle) as
    | { isOn: boolean }
    | undefined;
  return next?.isOn ?? hasStyle(raw.value, range.value, toggle);
}

export function toggleStyle(session: TextSession, toggle: Toggle): void {
  const isOn = !isStyleOn(session, toggle);
  const { name } = TOGGLES.find((each) => each.toggle === toggle)!;
  session.style({ toggle, isOn }, isOn ? name : `No ${name.toLowerCase()}`);
}

/** Returns the value of a field in the selected text or for the next typed text; undefined if the selection's parts differ. */
export function styleOf({ raw, range, pending }: TextSession, field: StyleField): unknown {
  const isField = (each: StyleChange) => 'field' in each && each.field === field;
  const next = pending.value.find(isField) as { value: unknown } | undefined;
  return next?.value ?? sharedStyle(raw.value, range.value, field);
}

// Messages that screen readers say without a change of focus, and the short notes at the foot of the window.
import { signal } from '@preact/signals';

export interface Toast {
  readonly id: number;
  readonly text: string;
}

/** The text of the polite live region. */
export const announcement = signal('');
export const toasts = signal<readonly Toast[]>([]);

const TOAST_MS = 5000;
let last = 0;

/** Lets screen readers say `text`, even if it equals the last message. */
export function announce(text: string): void {
  // a no-break space makes an equal text differ
  announcement.value = announcement.value === text ? `${text}\u00a0` : text;
}

/** Shows a message and lets screen readers say it: `toast('Key revoked')`. */
export function toast(text: string): void {
  const id = ++last;
  toasts.value = [...toasts.value, { id, text }];
  announce(text);
  setTimeout(() => {
    toasts.value = toasts.value.filter((one) => one.id !== id);
  }, TOAST_MS);
}

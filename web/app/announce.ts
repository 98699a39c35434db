// What screen readers say without a change of focus, and the short notes at the foot of the window.
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

/** Lets screen readers say `text`, also if it is what they said last. */
export function announce(text: string): void {
  // a no-break space makes an equal text another one
  announcement.value = announcement.value === text ? `${text}\u00a0` : text;
}

/** Shows and says that something is done: `toast('Key revoked')`. */
export function toast(text: string): void {
  const id = ++last;
  toasts.value = [...toasts.value, { id, text }];
  announce(text);
  setTimeout(() => {
    toasts.value = toasts.value.filter((one) => one.id !== id);
  }, TOAST_MS);
}

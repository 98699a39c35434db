// A badge: a word about the state of something.
import type { ComponentChildren } from 'preact';

export interface BadgeProps {
  readonly kind?: 'neutral' | 'success' | 'danger' | 'warning' | 'accent';
  /** Whether a dot precedes the text, as for states. */
  readonly hasDot?: boolean;
  readonly children: ComponentChildren;
}

export function Badge({ kind = 'neutral', hasDot = false, children }: BadgeProps) {
  return (
    <span class={`badge badge-${kind}`}>
      {hasDot && <span class="badge-dot" />}
      {children}
    </span>
  );
}

// The frame of a page's content: heading, actions and cards.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { navigations } from '../app/router.js';
import { Skeleton } from './feedback.js';

export interface PageFrameProps {
  /** The heading, and the window's title. */
  readonly title: string;
  /** A line below the heading. */
  readonly description?: ComponentChildren;
  /** Buttons beside the heading. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The component around every page: `<Page title="Keys" actions={<Button …/>}>…</Page>`. Focuses its heading on navigation. */
export function Page({ title, description, actions, children }: PageFrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Platen`;
  }, [title]);
  useEffect(() => {
    if (navigations.peek() > 0) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div class="page">
      <div class="page-header">
        <div class="page-heading">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {description && <p class="page-description">{description}</p>}
        </div>
        {actions && <div class="page-actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

export interface CardProps {
  readonly title?: string;
  readonly actions?: ComponentChildren;
  /** Lets content reach the card's edges, as tables and pictures do. */
  readonly isFlush?: boolean;
  readonly children: ComponentChildren;
  readonly class?: string;
}

export function Card({ title, actions, isFlush = false, children, class: added = '' }: CardProps) {
  const id = useId();
  return (
    <section class={`card ${added}`} aria-labelledby={title ? id : undefined}>
      {title && (
        <div class="card-header">
          <h2 id={id}>{title}</h2>
          {actions && <div class="card-actions">{actions}</div>}
        </div>
      )}
      <div class={isFlush ? 'card-flush' : 'card-body'}>{children}</div>
    </section>
  );
}

export interface StatProps {
  readonly label: string;
  /** The value; undefined while it loads. */
  readonly value: ComponentChildren;
  /** Text below the number: a share, a comparison. */
  readonly note?: ComponentChildren;
  readonly kind?: 'warning' | 'danger' | undefined;
}

/** A number with its name; `<Stats>` contains several. */
export function Stat({ label, value, note, kind }: StatProps) {
  return (
    <div class={`stat ${kind ? `stat-${kind}` : ''}`}>
      <dt>{label}</dt>
      <dd class="stat-value">{value ?? <Skeleton width="5rem" height="1.25rem" />}</dd>
      <dd class="stat-note">{note ?? '\u00a0'}</dd>
    </div>
  );
}

export function Stats({ children }: { readonly children: ComponentChildren }) {
  return <dl class="stats">{children}</dl>;
}

/** Filters above a list, in one line if they fit. */
export function Toolbar({ children, label }: { readonly children: ComponentChildren; readonly label: string }) {
  return (
    <div class="toolbar" role="group" aria-label={label}>
      {children}
    </div>
  );
}

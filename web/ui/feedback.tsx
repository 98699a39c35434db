// Placeholders for content: while it loads, when there is none, and when loading failed.
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { ApiError } from '../app/api.js';
import type { Query } from '../app/query.js';
import { Button } from './button.js';
import { Icon, type IconName } from './icon.js';

export interface AlertProps {
  readonly kind?: 'error' | 'warning' | 'success' | 'note';
  readonly children: ComponentChildren;
}

/** A message beside its subject. Screen readers say errors at once and use the text as their name. */
export function Alert({ kind = 'error', children }: AlertProps) {
  const id = useId();
  return (
    <div class={`alert alert-${kind}`} {...(kind === 'error' && { role: 'alert', 'aria-labelledby': id })}>
      <Icon name={kind === 'success' ? 'check' : 'alert'} />
      <div id={id}>{children}</div>
    </div>
  );
}

export interface EmptyProps {
  readonly icon: IconName;
  /** Says in a few words what is missing: `No keys yet`. */
  readonly title: string;
  /** Says what it is for, or how to get one. */
  readonly children?: ComponentChildren;
  /** The button that creates the first one. */
  readonly action?: ComponentChildren;
}

export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} size={20} />
      </span>
      <p class="empty-title">{title}</p>
      {children && <div class="empty-text">{children}</div>}
      {action && <div class="empty-action">{action}</div>}
    </div>
  );
}

export interface FailedProps {
  readonly error: ApiError;
  readonly onRetry?: () => void;
}

/** Replaces content that could not be loaded. */
export function Failed({ error, onRetry }: FailedProps) {
  return (
    <div class="empty" role="alert">
      <span class="empty-icon empty-icon-failed">
        <Icon name="alert" size={20} />
      </span>
      <p class="empty-title">
        {error.code === 'unreachable' ? 'The server can’t be reached' : 'This could not be loaded'}
      </p>
      <div class="empty-text">
        {error.code === 'unreachable' ? 'Check that it runs and that you are connected.' : error.message}
        {error.requestId && <div class="mono faint">request {error.requestId}</div>}
      </div>
      {onRetry && (
        <div class="empty-action">
          <Button onClick={onRetry}>Try again</Button>
        </div>
      )}
    </div>
  );
}

/**
 * A grey block with the size of the content to come: `<Skeleton width="8rem" />` for a line of text, with `height` for other
 * content.
 */
export function Skeleton({ width = '100%', height = '0.75em' }: { readonly width?: string; readonly height?: string }) {
  return <span class="skeleton" style={{ width, height }} aria-hidden="true" />;
}

export interface LoadedProps<Data> {
  readonly query: Pick<Query<Data>, 'data' | 'error' | 'reload'>;
  /** Shown until there is data: skeletons with the size of the content to come. */
  readonly loading: ComponentChildren;
  readonly children: (data: Data) => ComponentChildren;
}

/**
 * Shows a query's data, its loading or its failure: `<Loaded query={usage} loading={<Skeleton height="10rem" />}>{(usage) =>
 * …}</Loaded>`.
 */
export function Loaded<Data>({ query, loading, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error) return <Failed error={query.error} onRetry={query.reload} />;
  return <div aria-busy="true">{loading}</div>;
}

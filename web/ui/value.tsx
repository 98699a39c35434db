// Small inline elements: times, code, text to copy, and the end of a list.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { announce } from '../app/announce.js';
import { formatAgo, formatDate, formatFullTime, formatTime } from '../app/format.js';
import type { PagedQuery } from '../app/query.js';
import { Button, type ButtonProps } from './button.js';
import { Alert } from './feedback.js';
import { Icon } from './icon.js';

export interface DateTimeProps {
  /** A time in ISO 8601. */
  readonly value: string;
  /** `time`: `Nov 22, 21:14:09`; `date`: `Nov 22, 2026`; `ago`: `3 min ago`. The tip shows the full time. */
  readonly form?: 'time' | 'date' | 'ago';
}

const FORMS = { time: formatTime, date: formatDate, ago: (value: string) => formatAgo(value) };

export function DateTime({ value, form = 'time' }: DateTimeProps) {
  return (
    <time dateTime={value} title={formatFullTime(value)} class="nowrap">
      {FORMS[form](value)}
    </time>
  );
}

/** Shows ids, prefixes and other machine-readable text. */
export function Code({ children }: { readonly children: ComponentChildren }) {
  return <code class="code">{children}</code>;
}

/** Puts text on the clipboard. Without a secure context or permission, copies it from a selection. */
export async function copyText(text: string): Promise<void> {
  const isWritten = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (isWritten) return;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  // inside a modal dialog, only the dialog's elements can be selected
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  const focused = document.activeElement;
  area.select();
  const hasCopied = document.execCommand('copy');
  area.remove();
  // removing the element would leave the focus nowhere
  if (focused instanceof HTMLElement) focused.focus();
  if (!hasCopied) throw new Error('the browser did not copy');
}

const COPIED_MS = 2000;

export interface CopyButtonProps extends Omit<ButtonProps, 'onClick' | 'children' | 'icon'> {
  /** The text to copy, or a function that returns it. */
  readonly text: string | (() => string);
  readonly label?: string;
}

/** **Copy**, which announces that it has copied. Its name stays. */
export function CopyButton({ text, label = 'Copy', ...rest }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    const result = await copyText(typeof text === 'string' ? text : text()).then(
      () => 'copied' as const,
      () => 'failed' as const,
    );
    setState(result);
    announce(result === 'copied' ? 'Copied' : 'The browser did not copy; select the text and copy it');
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setState('idle'), COPIED_MS);
  };
  const icon = { idle: 'copy', copied: 'check', failed: 'alert' } as const;
  return (
    <Button {...rest} icon={icon[state]} onClick={copy}>
      {label}
    </Button>
  );
}

export interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
  readonly hint?: ComponentChildren;
  /** Number of lines to show, as for code; without it, one line without breaks. */
  readonly rows?: number;
}

/** A text to take along, such as a new key or a link, with **Copy** beside it. */
export function CopyField({ label, value, hint, rows }: CopyFieldProps) {
  const id = useId();
  const attributes = { id, readOnly: true, value };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="copy-field">
        {rows ? (
          <textarea {...attributes} class="textarea mono" rows={rows} spellcheck={false} />
        ) : (
          <input {...attributes} class="input mono" onFocus={(event) => event.currentTarget.select()} />
        )}
        <CopyButton text={value} />
      </div>
      {hint && <p class="field-hint">{hint}</p>}
    </div>
  );
}

/** The end of a paged list: **Load more**, or nothing. */
export function More({ query }: { readonly query: PagedQuery<unknown> }) {
  if (!query.items) return null;
  return (
    <>
      {query.error && <Alert>{query.error.message}</Alert>}
      {query.hasMore && (
        <div class="more">
          <Button isBusy={query.isLoadingMore} onClick={query.loadMore}>
            Load more
          </Button>
        </div>
      )}
    </>
  );
}

/** A link that leads on: `<Onward href="/dashboard/renders">All renders</Onward>`. */
export function Onward({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  return (
    <a class="onward" href={href}>
      {children}
      <Icon name="chevron" size={14} />
    </a>
  );
}

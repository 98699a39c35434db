// Dialogs: `<dialog>` with a heading, its content, **Cancel** and the button that confirms.
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useAction } from '../app/action.js';
import { Button, IconButton } from './button.js';
import { ErrorAlert } from './error-alert.js';
import { TextField } from './field.js';

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Buttons at the foot. */
  readonly footer?: ComponentChildren;
  readonly size?: 'small' | 'medium' | 'large';
  /** Shows something that can't be shown again: a click beside the dialog doesn't close it. */
  readonly isShownOnce?: boolean;
}

const FOCUSED_FIRST = [
  '.dialog-body :is(input, select, textarea):not([readonly], [type="file"], :disabled)',
  '.dialog-body button:not(:disabled)',
  '.dialog-footer button:not(:disabled)',
];

/** The element that had the focus before the dialog. */
let opener: HTMLElement | undefined;

/** Returns the focus to the opener, or to the page's heading if the opener is gone, like the button of a deleted row. */
function restoreFocus(): void {
  if (document.querySelector('dialog[open]') || document.activeElement !== document.body) return;
  const target = opener?.isConnected ? opener : document.querySelector('h1');
  target?.focus();
}

/** A modal dialog that is open while it is mounted: `{isOpen && <Dialog title="Render" onClose={close}>…</Dialog>}`. */
export function Dialog({ title, onClose, children, footer, size = 'small', isShownOnce = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    // a scrollable body must be reachable by keyboard, even if nothing in it is
    if (body.current?.querySelector('a, button, input, select, textarea')) body.current.removeAttribute('tabindex');
    else body.current?.setAttribute('tabindex', '0');
  });
  useLayoutEffect(() => {
    const { activeElement } = document;
    // a dialog that follows another one returns to the opener of the first
    if (activeElement instanceof HTMLElement && activeElement !== document.body) opener = activeElement;
    const element = dialog.current;
    element?.showModal();
    // the first field comes before the button that closes
    const first = FOCUSED_FIRST.map((selector) => element?.querySelector<HTMLElement>(selector)).find(Boolean);
    first?.focus();
    return () => {
      element?.close();
      requestAnimationFrame(restoreFocus);
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog dialog-${size}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget && !isShownOnce) onClose();
      }}
    >
      <div class="dialog-frame">
        <header class="dialog-header">
          <h2 id={id}>{title}</h2>
          {!footer && <IconButton icon="close" label="Close" onClick={onClose} />}
        </header>
        <div ref={body} class="dialog-body">
          {children}
        </div>
        {footer && <footer class="dialog-footer">{footer}</footer>}
      </div>
    </dialog>
  );
}

export interface FormDialogProps {
  readonly title: string;
  /** Label of the confirming button: the verb of the button that opened the dialog. */
  readonly confirm: string;
  readonly isDanger?: boolean;
  /** Whether it can be confirmed yet. */
  readonly isReady?: boolean;
  /** Performs the action. When it rejects with an ApiError, the dialog stays and shows why. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly size?: DialogProps['size'];
}

/** A dialog with fields; Enter in a field confirms it. */
export function FormDialog(props: FormDialogProps) {
  const { title, confirm, isDanger = false, isReady = true, onConfirm, onClose, children, size } = props;
  const { busy, error, run } = useAction<true>();
  const form = useId();
  const submit = async () => {
    if (!busy && isReady) await run(true, onConfirm);
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      {...(size && { size })}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={form}
            kind={isDanger ? 'danger' : 'primary'}
            isBusy={busy ?? false}
            disabled={!isReady}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <form
        id={form}
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {error && <ErrorAlert error={error} />}
        {children}
      </form>
    </Dialog>
  );
}

export interface ConfirmDialogProps extends Omit<FormDialogProps, 'isReady'> {
  /** Text to type before it can be confirmed, such as the name of the key to revoke. */
  readonly typed?: { readonly label: string; readonly text: string };
}

/** A dialog that asks before something that can't be undone. */
export function ConfirmDialog({ typed, children, ...rest }: ConfirmDialogProps) {
  const [text, setText] = useState('');
  return (
    <FormDialog {...rest} isReady={!typed || text.trim() === typed.text.trim()}>
      <div class="prose">{children}</div>
      {typed && (
        <TextField
          label={typed.label}
          value={text}
          onInput={setText}
          hint={
            <>
              Type <strong>{typed.text}</strong> to confirm.
            </>
          }
        />
      )}
    </FormDialog>
  );
}

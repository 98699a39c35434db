// Buttons, and links that look like them.
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.js';

interface Look {
  /** `primary` is the main action of a page or dialog; `danger` can't be undone; `quiet` is for rows and bars. */
  readonly kind?: 'primary' | 'secondary' | 'danger' | 'quiet';
  readonly size?: 'small' | 'medium';
  readonly icon?: IconName;
  readonly class?: string;
}

const classOf = ({ kind = 'secondary', size = 'medium', class: added }: Look) =>
  `button button-${kind} button-${size}${added ? ` ${added}` : ''}`;

export interface ButtonProps extends Look, Omit<ButtonHTMLAttributes, 'icon' | 'size' | 'class'> {
  /** Shows that the button is working; it accepts no click until it is done. */
  readonly isBusy?: boolean | undefined;
  readonly children: ComponentChildren;
}

/** A button: `<Button kind="primary" icon="plus" onClick={open}>Create key</Button>`. */
export function Button({ kind, size, icon, class: added, isBusy = false, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={classOf({ ...(kind && { kind }), ...(size && { size }), ...(added && { class: added }) })}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {isBusy ? <span class="spinner" /> : icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  readonly icon: IconName;
  /** Accessible name, also shown as a tip. */
  readonly label: string;
  /** Tip that replaces the name. */
  readonly tip?: string | undefined;
}

export function IconButton(props: IconButtonProps) {
  const { icon, label, tip = label, kind = 'quiet', size, class: added, isBusy: _, ...rest } = props;
  const look = classOf({ kind, ...(size && { size }), class: `button-icon ${added ?? ''}` });
  return (
    <button type="button" {...rest} class={look} aria-label={label} title={tip}>
      <Icon name={icon} />
    </button>
  );
}

export interface ButtonLinkProps extends Look {
  readonly href: string;
  readonly children: ComponentChildren;
}

/** A link to a page that looks like a button. */
export function ButtonLink({ href, icon, children, ...look }: ButtonLinkProps) {
  return (
    <a href={href} class={classOf(look)}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </a>
  );
}

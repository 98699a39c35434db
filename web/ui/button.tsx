// Buttons, and links that look like them.
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.js';

interface Look {
  /** `primary`: the one main action of a page or dialog. `danger`: what can't be undone. `quiet`: in rows and bars. */
  readonly kind?: 'primary' | 'secondary' | 'danger' | 'quiet';
  readonly size?: 'small' | 'medium';
  readonly icon?: IconName;
  readonly class?: string;
}

const classOf = ({ kind = 'secondary', size = 'medium', class: added }: Look) =>
  `button button-${kind} button-${size}${added ? ` ${added}` : ''}`;

export interface ButtonProps extends Look, Omit<ButtonHTMLAttributes, 'icon' | 'size' | 'class'> {
  /** Shows that it works; it takes no further click until it is done. */
  readonly isBusy?: boolean | undefined;
  readonly children: ComponentChildren;
}

/** `<Button kind="primary" icon="plus" onClick={open}>Create key</Button>`. */
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
  /** Its accessible name, also shown as a tip. */
  readonly label: string;
  /** Instead of the name as a tip. */
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

/** A link to a page that stands where a button would. */
export function ButtonLink({ href, icon, children, ...look }: ButtonLinkProps) {
  return (
    <a href={href} class={classOf(look)}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </a>
  );
}

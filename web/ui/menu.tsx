// Menus: below a button, and at the pointer for the clicked element.
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.js';

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName | undefined;
  /** The shortcut, such as `Ctrl+D`. */
  readonly keys?: string | undefined;
  readonly isDisabled?: boolean;
  readonly onSelect: () => void;
}

export interface MenuProps {
  /** Its accessible name. */
  readonly label: string;
  /** The items, in groups. */
  readonly items: readonly (readonly MenuItem[])[];
  /** Upper left corner in the window, if there is room. */
  readonly at: { readonly x: number; readonly y: number };
  readonly onClose: () => void;
}

/** Smallest distance from a menu to the edge of the window in pixels. */
const MARGIN = 8;

/** A menu that is open while it is mounted. It takes the focus, and gives it back. */
export function Menu({ label, items, at, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const element = menu.current!;
    const opener = document.activeElement;
    const { offsetWidth, offsetHeight } = element;
    const left = Math.max(MARGIN, Math.min(at.x, innerWidth - offsetWidth - MARGIN));
    const top = Math.max(MARGIN, Math.min(at.y, innerHeight - offsetHeight - MARGIN));
    Object.assign(element.style, { left: `${left}px`, top: `${top}px` });
    (enabledIn(element)[0] ?? element).focus();
    const onPointerDown = ({ target }: Event) => {
      if (!element.contains(target as Node)) close.current();
    };
    addEventListener('pointerdown', onPointerDown, true);
    return () => {
      removeEventListener('pointerdown', onPointerDown, true);
      // unless the chosen item moved the focus
      if (element.contains(document.activeElement) && opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      onClose();
      return;
    }
    const next = nextItem(enabledIn(menu.current!), event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <div ref={menu} class="menu" role="menu" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
      {items
        .filter((group) => group.length > 0)
        .map((group, index) => (
          <div key={index} class="menu-group" role="group">
            {group.map((item) => (
              <button
                key={item.label}
                type="button"
                role="menuitem"
                tabIndex={-1}
                class="menu-item"
                disabled={item.isDisabled}
                aria-keyshortcuts={item.keys?.replace('Ctrl', 'Control')}
                onClick={() => {
                  onClose();
                  item.onSelect();
                }}
              >
                {item.icon && <Icon name={item.icon} />}
                <span class="menu-label">{item.label}</span>
                {item.keys && (
                  <span class="menu-keys" aria-hidden="true">
                    {shownKeys(item.keys)}
                  </span>
                )}
              </button>
            ))}
          </div>
        ))}
    </div>
  );
}

/** Writes arrow keys with the signs on keyboards. */
export const shownKeys = (keys: string): string =>
  keys.replace(
    /Arrow(Up|Down|Left|Right)/,
    (_, name: string) => ({ Up: '↑', Down: '↓', Left: '←', Right: '→' })[name] ?? name,
  );

const enabledIn = (menu: HTMLElement): HTMLElement[] =>
  Array.from(menu.querySelectorAll<HTMLElement>('[role="menuitem"]:not(:disabled)'));

/** Finds the item that a key leads to: arrows wrap around, Home, End, or the first letter of an item. */
function nextItem(items: readonly HTMLElement[], key: string): HTMLElement | undefined {
  const at = items.indexOf(document.activeElement as HTMLElement);
  const turned = (index: number) => items[(index + items.length) % items.length];
  if (items.length === 0) return undefined;
  if (key === 'ArrowDown') return turned(at + 1);
  if (key === 'ArrowUp') return turned(at < 0 ? -1 : at - 1);
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key.length !== 1 || key === ' ') return undefined;
  const order = items.map((_, index) => turned(at + 1 + index)!);
  return order.find(({ innerText }) => innerText.toLowerCase().startsWith(key.toLowerCase()));
}

export interface MenuButtonProps {
  readonly label: string;
  readonly icon: IconName;
  readonly items: MenuProps['items'];
  readonly disabled?: boolean;
}

/** An icon that opens a menu below it. */
export function MenuButton({ label, icon, items, disabled }: MenuButtonProps) {
  const [at, setAt] = useState<MenuProps['at']>();
  const id = useId();
  return (
    <>
      <button
        id={id}
        type="button"
        class="button button-quiet button-small button-icon"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={at !== undefined}
        disabled={disabled}
        onClick={(event) => {
          const { left, bottom } = event.currentTarget.getBoundingClientRect();
          setAt(at ? undefined : { x: left, y: bottom + 2 });
        }}
      >
        <Icon name={icon} />
      </button>
      {at && <Menu label={label} items={items} at={at} onClose={() => setAt(undefined)} />}
    </>
  );
}

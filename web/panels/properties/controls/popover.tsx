// A panel beside the control that opens it. Escape, a press elsewhere or leaving it by Tab closes it.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

export interface PopoverProps {
  /** Its accessible name. */
  readonly label: string;
  /** The element from which it opens, and which gets the focus back. */
  readonly anchor: HTMLElement | null;
  readonly onClose: () => void;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Distance in pixels to the elements around it. */
const GAP = 8;

export function Popover({ label, anchor, onClose, class: added = '', children }: PopoverProps) {
  const panel = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;

  useLayoutEffect(() => {
    const element = panel.current;
    if (!element || !anchor) return;
    const place = () => {
      const { left, bottom, right } = anchor.getBoundingClientRect();
      const { offsetWidth, offsetHeight } = element;
      const isBeside = left - GAP - offsetWidth >= GAP;
      const x = isBeside ? left - GAP - offsetWidth : Math.max(GAP, Math.min(right, innerWidth - GAP) - offsetWidth);
      const y = isBeside ? bottom - 32 : bottom + GAP;
      element.style.left = `${x}px`;
      element.style.top = `${Math.max(GAP, Math.min(y, innerHeight - GAP - offsetHeight))}px`;
    };
    // loaded content changes the size
    const watcher = new ResizeObserver(() => {
      place();
      if (document.activeElement === element) element.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    });
    place();
    watcher.observe(element);
    addEventListener('resize', place);
    (element.querySelector<HTMLElement>('[data-autofocus]') ?? element).focus();
    return () => {
      watcher.disconnect();
      removeEventListener('resize', place);
    };
  }, [anchor]);

  useEffect(() => {
    const isOutside = (target: EventTarget | null) =>
      !panel.current?.contains(target as Node) && !anchor?.contains(target as Node);
    const onPress = (event: PointerEvent) => {
      if (isOutside(event.target)) close.current();
    };
    document.addEventListener('pointerdown', onPress, true);
    return () => document.removeEventListener('pointerdown', onPress, true);
  }, [anchor]);

  return (
    <div
      ref={panel}
      class={`popover ${added}`}
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        event.preventDefault();
        onClose();
        anchor?.focus();
      }}
      onFocusOut={(event) => {
        const next = event.relatedTarget as Node | null;
        if (next && !event.currentTarget.contains(next) && !anchor?.contains(next)) onClose();
      }}
    >
      {children}
    </div>
  );
}

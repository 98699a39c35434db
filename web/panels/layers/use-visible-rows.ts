// Tells which rows of a long list are in view.
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ROW_HEIGHT } from './drop-target.js';

/** Number of extra rows above and below the visible ones. */
const SPARE = 8;

export interface VisibleRows {
  /** The scrolling element. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly first: number;
  /** Index behind the last row. */
  readonly last: number;
  /** Scrolls as little as it takes to show the row. */
  readonly reveal: (index: number) => void;
}

export function useVisibleRows(count: number): VisibleRows {
  const scroller = useRef<HTMLDivElement>(null);
  const [{ first, last }, setRange] = useState({ first: 0, last: 60 });
  useEffect(() => {
    const element = scroller.current!;
    const update = () => {
      const next = {
        first: Math.max(0, Math.floor(element.scrollTop / ROW_HEIGHT) - SPARE),
        last: Math.ceil((element.scrollTop + element.clientHeight) / ROW_HEIGHT) + SPARE,
      };
      setRange((before) => (before.first === next.first && before.last === next.last ? before : next));
    };
    const observer = new ResizeObserver(update);
    observer.observe(element);
    element.addEventListener('scroll', update, { passive: true });
    update();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', update);
    };
  }, [count]);
  const reveal = (index: number) => {
    const element = scroller.current;
    if (!element) return;
    const top = index * ROW_HEIGHT;
    const bottom = top + ROW_HEIGHT;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
  };
  return { scroller, first, last, reveal };
}

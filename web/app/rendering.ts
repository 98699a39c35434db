// When components render. After a key that changes the page at once, browsers hold back what workers send until they have painted
// a frame, so a picture would come a frame later. Components therefore wait for the picture of a change, if it comes soon, and
// change with it: from a key in a text of the example card to its pixels it takes 14 ms instead of 21.
import { options } from 'preact';

/** Milliseconds that they wait at most: a little more than a frame. */
const LONGEST_WAIT_MS = 20;

/** Events that the page answers: what waits comes before, so that listeners know what is current. */
const EVENTS = [
  ...['keydown', 'beforeinput', 'input', 'change', 'compositionstart', 'paste', 'cut', 'copy'],
  ...['pointerdown', 'pointermove', 'pointerup', 'click', 'dblclick', 'contextmenu', 'wheel', 'dragover', 'drop'],
];

let awaited: Promise<unknown> | undefined;
const waiting = new Set<() => void>();

/** Has `withPicture` wait for a picture: until `shown` settles. */
export function awaitPicture(shown: Promise<unknown>): void {
  const late = new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS));
  const own = Promise.race([shown.catch(() => {}), late]).then(() => {
    if (awaited === own) awaited = undefined;
  });
  awaited = own;
}

/** Calls `change` once the running code has ended, or with the picture that is awaited by then. */
export function withPicture(change: () => void): void {
  waiting.add(change);
  queueMicrotask(() => {
    if (awaited) void awaited.then(() => make(change));
    else make(change);
  });
}

function make(change: () => void): void {
  if (waiting.delete(change)) change();
}

/** Has components render so. */
export function startRendering(): void {
  options.debounceRendering = withPicture;
  for (const type of EVENTS) addEventListener(type, () => waiting.forEach(make), { capture: true, passive: true });
}

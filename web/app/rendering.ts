// When components render: in a microtask, or while a text is typed with its picture. After a key that changes the page at once,
// browsers hold back what workers send until they have painted a frame, so a picture would come a frame later. From a key in a
// text of the example card to its pixels it takes 14 ms instead of 21.
import { options } from 'preact';

/** Milliseconds that they wait at most: a little more than a frame. */
const LONGEST_WAIT_MS = 20;

/** Events that the page answers: what waits comes before, so that listeners know what is current. */
const EVENTS = [
  ...['keydown', 'beforeinput', 'input', 'change', 'compositionstart', 'paste', 'cut', 'copy'],
  ...['pointerdown', 'pointermove', 'pointerup', 'click', 'dblclick', 'contextmenu', 'wheel', 'dragover', 'drop'],
];

let isTyping = false;
let awaited: Promise<unknown> | undefined;
const waiting = new Set<() => void>();

/** Has components that `change` changes wait for its picture. */
export function typeWithPicture(change: () => void): void {
  isTyping = true;
  try {
    change();
  } finally {
    isTyping = false;
  }
}

/** Tells that a picture is being drawn, until `shown` settles. */
export function awaitPicture(shown: Promise<unknown>): void {
  if (!isTyping) return;
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
  const makeAll = () => {
    awaited = undefined;
    waiting.forEach(make);
  };
  for (const type of EVENTS) addEventListener(type, makeAll, { capture: true, passive: true });
}

// Decides when components render: in a microtask, or together with the picture while a text is typed. After a key that changes
// the page at once, browsers hold back messages of workers until they have painted a frame, so a picture would come a frame
// later. A key in a text of the example card reaches its pixels in 14 ms instead of 21.
import { options } from 'preact';

/** Longest wait for the picture in milliseconds: a little more than a frame. */
const LONGEST_WAIT_MS = 20;

/** Events that the page answers: pending renders run before them, so that listeners see the current state. */
const EVENTS = [
  ...['keydown', 'beforeinput', 'input', 'change', 'compositionstart', 'paste', 'cut', 'copy'],
  ...['pointerdown', 'pointermove', 'pointerup', 'click', 'dblclick', 'contextmenu', 'wheel', 'dragover', 'drop'],
];

let isTyping = false;
let awaited: Promise<unknown> | undefined;
const waiting = new Set<() => void>();

/** Runs `change`, and lets the components that it affects wait for its picture. */
export function typeWithPicture(change: () => void): void {
  isTyping = true;
  try {
    change();
  } finally {
    isTyping = false;
  }
}

/** Says that a picture is being drawn, until `shown` settles. */
export function awaitPicture(picture: Promise<unknown>): void {
  if (!isTyping) return;
  const late = new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS));
  const own = Promise.race([picture.catch(() => {}), late]).then(() => {
    if (awaited === own) awaited = undefined;
  });
  awaited = own;
}

/** Calls `change` once the running code has ended, or with the picture that is expected by then. */
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

/** Installs this scheduling for all components. */
export function startRendering(): void {
  options.debounceRendering = withPicture;
  const makeAll = () => {
    awaited = undefined;
    waiting.forEach(make);
  };
  for (const type of EVENTS) addEventListener(type, makeAll, { capture: true, passive: true });
}

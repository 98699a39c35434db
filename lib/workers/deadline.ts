// The time limit of one render, joined with the signal of its caller.
import { setMaxListeners } from 'node:events';
import { RenderError, ServiceError } from '../errors.js';

/** Shared by all renders: an error costs a stack trace, and nobody reads this one. */
const RENDER_FINISHED = new ServiceError('internal_error', 'the render is over');

export interface Deadline {
  /** Aborts with RenderError `render_timeout` when the time is up, or with the other signal's reason. */
  readonly signal: AbortSignal;
  /** Stops the clock, and starts it again for the time that is left. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Ends the render: removes the timer and the listener, and aborts what is still under way for it. */
  readonly clear: () => void;
}

/** A deadline `milliseconds` from now, or as soon as `other` aborts. */
export function deadline(milliseconds: number, other?: AbortSignal): Deadline {
  const controller = new AbortController();
  const follow = () => controller.abort(other?.reason);
  const late = () =>
    controller.abort(new RenderError('render_timeout', `the render took longer than ${milliseconds} ms`));
  let left = milliseconds;
  let resumedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  const resume = () => {
    if (timer || controller.signal.aborted) return;
    resumedAt = performance.now();
    timer = setTimeout(late, Math.max(0, left));
  };
  const pause = () => {
    if (!timer) return;
    clearTimeout(timer);
    timer = undefined;
    left -= performance.now() - resumedAt;
  };
  resume();
  if (other?.aborted) follow();
  else if (other) {
    // many renders may share a signal: its many listeners are no leak, so Node's warning is turned off
    setMaxListeners(0, other);
    other.addEventListener('abort', follow);
  }
  return {
    signal: controller.signal,
    pause,
    resume,
    clear() {
      pause();
      other?.removeEventListener('abort', follow);
      controller.abort(RENDER_FINISHED);
    },
  };
}

// A render's end, from whichever side it comes: its time is up, or its client is gone.
import { RenderError } from '../../errors.js';

/** One for all: to make an error takes a trace of the stack, and nobody reads this one. */
const RENDER_FINISHED = new RenderError('internal_error', 'the render is over');

export interface Deadline {
  /** Aborts with RenderError `render_timeout` when the time is up, or with the other signal's reason. */
  readonly signal: AbortSignal;
  /** The render is over: no timer and no listener stay behind, and what is still under way for it is ended. */
  readonly clear: () => void;
}

/** A deadline `milliseconds` from now, or as soon as `other` aborts. */
export function deadline(milliseconds: number, other: AbortSignal): Deadline {
  const controller = new AbortController();
  const follow = () => controller.abort(other.reason);
  const late = () =>
    controller.abort(new RenderError('render_timeout', `the render took longer than ${milliseconds} ms`));
  const timer = setTimeout(late, milliseconds);
  if (other.aborted) follow();
  else other.addEventListener('abort', follow);
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      other.removeEventListener('abort', follow);
      controller.abort(RENDER_FINISHED);
    },
  };
}

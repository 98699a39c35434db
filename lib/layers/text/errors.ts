// Text that can't be laid out fails the render.
import { RenderError } from '../../errors.js';
import { TextError } from '../../layout/text-block.js';

/** Throws RenderError `render_failed` for a TextError. */
export function withTextErrors<Result>(layOut: () => Result): Result {
  try {
    return layOut();
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    throw new RenderError('render_failed', error.message);
  }
}

// Reads the codes of a finished picture back.
import { type Detail, RenderError } from '../errors.js';
import type { Pixmap } from '../raster/pixmap.js';
import type { CodeToVerify } from './report.js';
import type { RetainedScene } from './retained.js';

/**
 * Adds a warning for each code that can't be read back. Throws one error that lists those that must be readable. The reader is
 * large, and imported for pictures that need it.
 */
export async function readCodes(
  pixmap: Pixmap,
  codes: readonly CodeToVerify[],
  { signal, retained }: { readonly signal?: AbortSignal | undefined; readonly retained?: RetainedScene | undefined },
): Promise<void> {
  const { verifyCodes } = await import('../scanner/verify.js');
  const painted = codes.map(({ code }) => code);
  const problems = await verifyCodes(pixmap, painted, { signal, readings: retained?.readings });
  const details: Detail[] = [];
  codes.forEach(({ isRequired, locate, warn }, i) => {
    const problem = problems[i];
    if (!problem) return;
    const verdict = problem.cause === 'unknown' ? 'could not be checked' : "can't be read";
    const message = `the painted code ${verdict}: ${problem.message}`;
    if (isRequired) details.push(locate(message));
    else warn(message);
  });
  const [first] = details;
  if (first) throw new RenderError('render_failed', `${first.path}: ${first.message}`, { details });
}

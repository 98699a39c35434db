// Reads the codes of a finished picture back.
import { type Detail, RenderError } from '../errors.js';
import type { Pixmap } from '../raster/pixmap.js';
import type { CodeToVerify } from './report.js';
import type { RetainedScene } from './retained.js';

/**
 * Reads each code back and adds a warning for those that can't be read. Throws one error that lists the failed codes that must
 * be readable. Imports the reader, which is large, only for pictures that need it.
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

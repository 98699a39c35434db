// Whatever a decoder throws (errors, strings, numbers of a WASM exit), turned into one sentence that a user understands.
import { RenderError } from '../errors.js';
import type { InputFormat } from './codec.js';

const NAMES: Record<InputFormat, string> = {
  png: 'PNG',
  jpeg: 'JPEG',
  webp: 'WebP',
  avif: 'AVIF',
  gif: 'GIF',
  svg: 'SVG',
};

/** The format's name as people write it. */
export function formatName(format: InputFormat): string {
  return NAMES[format];
}

/** The failure of a file that can't be read; `reason` completes "the PNG is broken: …". */
export function broken(format: InputFormat, reason: string, cause?: unknown): RenderError {
  return new RenderError('render_failed', `the ${NAMES[format]} is broken: ${reason}`, { cause });
}

/** The failure of a file that is well formed but of a kind that is not read; `reason` completes "the JPEG is not supported: …". */
export function unsupported(format: InputFormat, reason: string, cause?: unknown): RenderError {
  return new RenderError('render_failed', `the ${NAMES[format]} is not supported: ${reason}`, { cause });
}

/** Runs `decode`; a failure that is not a RenderError already becomes one, its reason given by `explain`. */
export function guarded<T>(format: InputFormat, explain: (message: string) => string, decode: () => T): T {
  try {
    return decode();
  } catch (cause) {
    if (cause instanceof RenderError) throw cause;
    throw broken(format, explain(cause instanceof Error ? cause.message : String(cause)), cause);
  }
}

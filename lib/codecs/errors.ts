// Turns whatever a decoder throws (errors, strings, WASM exit codes) into a one-sentence error for the user.
import { CodedError, RenderError } from '../errors.js';
import type { InputFormat } from './codec.js';

const NAMES: Record<InputFormat, string> = {
  png: 'PNG',
  jpeg: 'JPEG',
  webp: 'WebP',
  avif: 'AVIF',
  gif: 'GIF',
  svg: 'SVG',
};

/** The format's usual spelling. */
export function formatName(format: InputFormat): string {
  return NAMES[format];
}

/**
 * The error for a file that can't be decoded. `reason` completes "the PNG is malformed: …". Throws `cause` itself if the
 * decoder could not be loaded: the image is not at fault then.
 */
export function malformed(format: InputFormat, reason: string, cause?: unknown): RenderError {
  const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ERR_PLATEN_FILES_MISSING';
  if (isMissing || cause instanceof CodedError) throw cause;
  return new RenderError('render_failed', `the ${NAMES[format]} is malformed: ${reason}`, { cause });
}

/** The error for a well-formed file of an unsupported kind. `reason` completes "the JPEG is not supported: …". */
export function unsupported(format: InputFormat, reason: string, cause?: unknown): RenderError {
  return new RenderError('render_failed', `the ${NAMES[format]} is not supported: ${reason}`, { cause });
}

/**
 * Runs `decode`. Converts any error other than a RenderError into one, whose reason `explain` derives from the message.
 */
export function wrapDecoderErrors<T>(format: InputFormat, explain: (message: string) => string, decode: () => T): T {
  try {
    return decode();
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    throw malformed(format, explain(cause instanceof Error ? cause.message : String(cause)), cause);
  }
}

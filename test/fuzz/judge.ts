// Decides whether the result of an input is a failure, and of which kind.
import { readHeader } from '../../lib/codecs/header.js';
import { ERRORS } from '../../lib/contract/api/errors.js';
import { POLLUTED } from './polluted.js';
import type { Result } from './subject.js';

export type Kind = 'crash' | 'hang' | 'unexpected' | 'memory' | 'slow parent' | 'answer' | 'bleed' | 'polluted';

export interface Failure {
  readonly kind: Kind;
  readonly detail: string;
}

/** Tolerated growth beyond the admitted estimate: garbage between two collections, and WASM memories, which never shrink. */
const SLACK_BYTES = 192 * 2 ** 20;
/** Most CPU milliseconds of the parent for an input of half a mebibyte. */
const MAX_PARENT_MS = 2000;
/** Larger canvases may exceed the time limit. */
const MAX_TIMED_PIXELS = 2 ** 20;

/** `canvas`: the requested size, if known. */
export function judge(result: Result, canvas: { width: number; height: number } | undefined): Failure | undefined {
  const { status, code, message, remarks, grown, admitted = 0, frontMs } = result;
  const remark = remarks.join('\n');
  if (message.includes(`exit code ${POLLUTED}`)) return { kind: 'polluted', detail: message };
  if (message.includes('the render process ended')) return { kind: 'crash', detail: `${message}\n${remark}` };
  if (message.includes('the render engine failed')) return { kind: 'unexpected', detail: remark };
  if (code === 'internal_error') return { kind: 'unexpected', detail: remark };
  if (code === 'render_timeout') {
    const isLarge = canvas !== undefined && canvas.width * canvas.height > MAX_TIMED_PIXELS;
    return isLarge ? undefined : { kind: 'hang', detail: message };
  }
  if (grown !== undefined && grown > admitted + SLACK_BYTES) {
    return { kind: 'memory', detail: `grew by ${mebibytes(grown)}, admitted with ${mebibytes(admitted)}` };
  }
  if (frontMs > MAX_PARENT_MS) return { kind: 'slow parent', detail: `${Math.round(frontMs)} ms in the parent` };
  const wrong = status === 200 ? wrongPicture(result, canvas) : wrongError(result);
  return wrong === undefined ? undefined : { kind: 'answer', detail: wrong };
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}

function wrongPicture({ bytes, contentType }: Result, canvas: { width: number; height: number } | undefined) {
  const picture = contentType.startsWith('image/') ? bytes : pictureWithin(bytes);
  try {
    const { width, height } = readHeader(picture);
    if (canvas && (width !== canvas.width || height !== canvas.height)) {
      return `the image is ${width} × ${height}, expected ${canvas.width} × ${canvas.height}`;
    }
    return undefined;
  } catch (error) {
    return `200 without an image: ${(error as Error).message}`;
  }
}

function pictureWithin(bytes: Uint8Array): Uint8Array {
  const { base64 = '' } = JSON.parse(Buffer.from(bytes).toString()) as { base64?: string };
  return Uint8Array.from(Buffer.from(base64, 'base64'));
}

/** Every error answer has a code of the table, the status of that code, and a message. */
function wrongError({ status, code, message }: Result): string | undefined {
  const known = code === undefined ? undefined : new Map(Object.entries(ERRORS)).get(code);
  if (!known) return `status ${status} with the code ${code}`;
  if (known.status !== status) return `status ${status} for ${code}`;
  return message === '' ? `status ${status} without a message` : undefined;
}

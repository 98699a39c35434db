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

/** Beyond what a render was let in with: the heap between two collections, and WASM memories that grow for good. */
const SLACK = 192 * 2 ** 20;
/** What the parent may take for an input of half a mebibyte, in milliseconds of processor time. */
const PARENT_MS = 2000;
/** Canvases with more pixels may take what time they take. */
const PATIENT_PIXELS = 2 ** 20;

/** `canvas`: the size that was asked for, where that is known. */
export function judge(result: Result, canvas: { width: number; height: number } | undefined): Failure | undefined {
  const { status, code, message, remarks, grown, admitted = 0, frontMs } = result;
  const remark = remarks.join('\n');
  if (message.includes(`exit code ${POLLUTED}`)) return { kind: 'polluted', detail: message };
  if (message.includes('the render process ended')) return { kind: 'crash', detail: `${message}\n${remark}` };
  if (message.includes('the render engine failed')) return { kind: 'unexpected', detail: remark };
  if (code === 'internal_error') return { kind: 'unexpected', detail: remark };
  if (code === 'render_timeout') {
    const isLarge = canvas !== undefined && canvas.width * canvas.height > PATIENT_PIXELS;
    return isLarge ? undefined : { kind: 'hang', detail: message };
  }
  if (grown !== undefined && grown > admitted + SLACK) {
    return { kind: 'memory', detail: `grew by ${mebibytes(grown)}, let in with ${mebibytes(admitted)}` };
  }
  if (frontMs > PARENT_MS) return { kind: 'slow parent', detail: `${Math.round(frontMs)} ms in the parent` };
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
      return `the picture is ${width} × ${height}, asked for ${canvas.width} × ${canvas.height}`;
    }
    return undefined;
  } catch (error) {
    return `200 with no picture: ${(error as Error).message}`;
  }
}

function pictureWithin(bytes: Uint8Array): Uint8Array {
  const { base64 = '' } = JSON.parse(Buffer.from(bytes).toString()) as { base64?: string };
  return Uint8Array.from(Buffer.from(base64, 'base64'));
}

/** Every answer is one of the table's, with its status, and says something. */
function wrongError({ status, code, message }: Result): string | undefined {
  const known = code === undefined ? undefined : new Map(Object.entries(ERRORS)).get(code);
  if (!known) return `status ${status} with the code ${code}`;
  if (known.status !== status) return `status ${status} for ${code}`;
  return message === '' ? `status ${status} without a message` : undefined;
}

// Encodes data as bars or modules, with bwip-js. This module is imported when a payload has a barcode: the package is large.
import bwip from 'bwip-js/generic';
import type { Symbology } from '../contract/layers/barcode.js';
import { RenderError } from '../errors.js';
import { type BarcodeData, completeData } from './check.js';

/** Dark bars side by side, in modules from the left edge of the first. */
export interface LinearCode {
  readonly kind: 'linear';
  readonly width: number;
  readonly bars: readonly Bar[];
}

export interface Bar {
  readonly start: number;
  readonly end: number;
}

/** Modules row by row; 1 is dark. The rows of PDF417 are three modules high. */
export interface MatrixCode {
  readonly kind: 'matrix';
  readonly columns: number;
  readonly rows: number;
  readonly dark: Uint8Array;
}

export type Barcode = LinearCode | MatrixCode;

/** The pixels that a module of a code of so many modules has in its box. */
export type FitModule = (columns: number, rows: number) => number;

/** The part of bwip-js that is used: its raw output. */
interface Bwip {
  raw(symbology: string, text: string, options: Readonly<Record<string, unknown>>): RawOutput[];
}

/** `sbs` holds widths of bars and spaces in turn; `pixs` holds modules, `pixx` in a row. */
type RawOutput =
  | { readonly sbs: readonly number[] }
  | { readonly pixs: readonly number[]; readonly pixx: number; readonly pixy: number };

const { raw } = bwip as unknown as Bwip;

/**
 * Encodes data that barcodeIssue accepts. A PDF417 has the number of columns with which its modules are largest. Throws
 * RenderError `render_failed` when no code of the kind holds the data, or the data breaks its rules.
 */
export function encodeBarcode(content: BarcodeData, fit: FitModule): Barcode {
  const { symbology } = content;
  const data = completeData(content);
  const code = encode(symbology, data);
  if (symbology !== 'pdf417' || code.kind !== 'matrix') return code;
  const columns = bestColumns(code, fit);
  return columns === dataColumns(code) ? code : encode(symbology, data, { columns });
}

function encode(symbology: Symbology, data: string, options: object = {}): Barcode {
  const { text, parsefnc } = toBytes(symbology, data);
  let output: RawOutput;
  try {
    [output] = raw(symbology === 'aztec' ? 'azteccode' : symbology, text, { binarytext: true, parsefnc, ...options });
  } catch (cause) {
    throw new RenderError('render_failed', explain(cause), { cause });
  }
  return 'sbs' in output ? linearCode(output.sbs) : matrixCode(output);
}

const utf8 = new TextEncoder();
/** Says that UTF-8 follows (AIM ECI 26); in this mode `^` begins such a function, and `^^` is the character. */
const UTF8_FOLLOWS = '^ECI000026';

/** Converts each byte to one character. Only the two-dimensional codes accept characters beyond ASCII. */
function toBytes(symbology: Symbology, data: string): { text: string; parsefnc: boolean } {
  if (symbology === 'gs1-128' || /^[\0-\x7f]*$/.test(data)) return { text: data, parsefnc: false };
  let text = UTF8_FOLLOWS;
  for (const byte of utf8.encode(data)) text += byte === 0x5e ? '^^' : String.fromCharCode(byte);
  return { text, parsefnc: true };
}

function linearCode(widths: readonly number[]): LinearCode {
  const bars: Bar[] = [];
  let at = 0;
  for (const [index, width] of widths.entries()) {
    if (index % 2 === 0) bars.push({ start: at, end: at + width });
    at += width;
  }
  return { kind: 'linear', width: at, bars };
}

/** `pixs` has the rows of PDF417 once; `pixy` counts their height. */
function matrixCode({ pixs, pixx, pixy }: { pixs: readonly number[]; pixx: number; pixy: number }): MatrixCode {
  const height = (pixy * pixx) / pixs.length;
  const dark = new Uint8Array(pixx * pixy);
  for (let row = 0; row < pixy; row++) {
    const from = Math.floor(row / height) * pixx;
    dark.set(pixs.slice(from, from + pixx), row * pixx);
  }
  return { kind: 'matrix', columns: pixx, rows: pixy, dark };
}

/** Modules of a PDF417's row besides its columns, of each column, and of the height of a row (ISO/IEC 15438 section 5.3). */
const ROW_FRAME = 69;
const COLUMN = 17;
const ROW_HEIGHT = 3;
const MAX_COLUMNS = 30;
const MAX_ROWS = 90;
const MIN_ROWS = 3;

function dataColumns({ columns }: MatrixCode): number {
  return (columns - ROW_FRAME) / COLUMN;
}

/** The number of columns with which the code's modules are largest, in whole pixels first. */
function bestColumns(code: MatrixCode, fit: FitModule): number {
  const dataWidths = dataColumns(code);
  const codewords = dataWidths * (code.rows / ROW_HEIGHT);
  let best = dataWidths;
  let bestSize = 0;
  for (let columns = 1; columns <= MAX_COLUMNS; columns++) {
    const rows = Math.max(MIN_ROWS, Math.ceil(codewords / columns));
    if (rows > MAX_ROWS) continue;
    const pixels = fit(ROW_FRAME + COLUMN * columns, ROW_HEIGHT * rows);
    const size = Math.floor(pixels) + pixels / 1000;
    if (size > bestSize) {
      best = columns;
      bestSize = size;
    }
  }
  return best;
}

/** `bwipp.GS1badMonth#3346: AI 17: Invalid month` → what follows the name. */
function explain(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  const reason = /^bwipp\.(\w+)(?:#\d+)?:\s*([\s\S]+)$/.exec(message);
  if (!reason) return `the data can't be encoded: ${message}`;
  const [, name, text] = reason;
  // an application identifier's value may be too long, too: the message says which
  const isTooLong = !name.startsWith('GS1') && /TooLong|TooMuchData|NoValidSymbol|Capacity/.test(name);
  return isTooLong ? 'the data is too long: no code of this symbology holds it' : `the data can't be encoded: ${text}`;
}

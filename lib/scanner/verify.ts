// Reads painted codes back from the finished picture.
import { type Affine, compose, IDENTITY, invert } from '../geometry/affine.js';
import { hypot } from '../geometry/math.js';
import { expand, intersect, isEmpty, mapRect, type Rect, roundOut } from '../geometry/rect.js';
import type { PaintedCode } from '../layers/codes/painted-code.js';
import type { Pixmap } from '../raster/pixmap.js';
import { type CodeFindings, diagnose, type Problem } from './diagnose.js';
import { greyImage, reduce } from './grey-image.js';
import { measure, moduleMap, REACH } from './measure.js';
import { type BarcodeFormat, loadReader, type Point, type ReadBarcodes, type Reading } from './reader.js';

const FORMATS: Readonly<Record<PaintedCode['symbology'], BarcodeFormat>> = {
  qrcode: 'QRCode',
  code128: 'Code128',
  code39: 'Code39',
  ean13: 'EAN13',
  ean8: 'EAN8',
  upca: 'UPCA',
  itf14: 'ITF',
  'gs1-128': 'Code128',
  pdf417: 'PDF417',
  datamatrix: 'DataMatrix',
  aztec: 'Aztec',
};

const encoder = new TextEncoder();

/** Whether a reading is what the code says. */
function isExpected({ symbology, data }: PaintedCode, { bytes, text }: Reading): boolean {
  switch (symbology) {
    case 'ean13':
    case 'ean8':
    case 'upca':
    case 'itf14':
      // a UPC-A is an EAN-13 that begins with 0
      return withoutZeros(text) === withoutZeros(data);
    case 'gs1-128':
      return text.replace(SEPARATORS, '') === data.replace(SEPARATORS, '');
    default:
      return text === data || isEqual(bytes, encoder.encode(data));
  }
}

const withoutZeros = (digits: string) => digits.replace(/^0+/, '');

/** The brackets of application identifiers, and what stands for FNC1. */
const SEPARATORS = /[()]|\p{Cc}/gu;

const isEqual = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, i) => byte === b[i]);

export type { Cause, Problem } from './diagnose.js';

/** Readings of codes in earlier pictures, and the pixels that they were read from. */
export type Readings = WeakMap<PaintedCode, { readonly pixels: Uint32Array; readonly problem: Problem | undefined }>;

export interface VerifyOptions {
  /** A code is not read again while the pixels around it are the same. */
  readonly readings?: Readings | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for all codes of a picture. */
  readonly timeoutMs?: number;
  /** Milliseconds of a clock. */
  readonly now?: () => number;
}

/** A usual code takes less than 10 ms. */
const TIMEOUT_MS = 10_000;
/** Milliseconds without a look at the signal's timers. */
const MAX_BUSY_MS = 50;

/** The problem of each code, in their order; undefined for those that can be read. A code that is undefined is not painted. */
export async function verifyCodes(
  pixmap: Pixmap,
  codes: readonly (PaintedCode | undefined)[],
  { readings, signal, timeoutMs = TIMEOUT_MS, now = () => performance.now() }: VerifyOptions = {},
): Promise<(Problem | undefined)[]> {
  const problems: (Problem | undefined)[] = [];
  const started = now();
  let paused = started;
  for (const code of codes) {
    if (now() - paused > MAX_BUSY_MS) {
      await new Promise((resolve) => setTimeout(resolve));
      paused = now();
    }
    signal?.throwIfAborted();
    const isLate = now() - started > timeoutMs;
    problems.push(
      isLate
        ? unchecked(`the codes were not all read within ${timeoutMs} ms`)
        : await verifyOnce(pixmap, code, readings),
    );
  }
  return problems;
}

const unchecked = (message: string): Problem => ({ cause: 'unknown', message });

/** Pixels that are read; larger codes are read at a smaller scale that leaves their modules wide enough. */
const MAX_PIXELS = 2 ** 20;
/** Pixels that are read at most, however small the modules become. */
const MAX_MEMORY_PIXELS = 2 ** 22;
const MIN_REDUCED_MODULE = 4;
/** The scale at which a code that was read must be readable, too. */
const FARTHER = 0.8;

async function verifyOnce(
  pixmap: Pixmap,
  code: PaintedCode | undefined,
  readings: Readings | undefined,
): Promise<Problem | undefined> {
  if (!code || !readings) return verifyCode(pixmap, code);
  const pixels = pixelsIn(pixmap, regionOf(pixmap, code));
  const known = readings.get(code);
  if (known && isSame(known.pixels, pixels)) return known.problem;
  const problem = await verifyCode(pixmap, code);
  // what could not be checked may be next time
  if (problem?.cause !== 'unknown') readings.set(code, { pixels, problem });
  return problem;
}

/** The area of a code and its surroundings on the canvas, in whole pixels. */
function regionOf({ width, height }: Pixmap, { symbol, columns, toCanvas }: PaintedCode): Rect {
  const reach = (REACH * (symbol.right - symbol.left)) / columns;
  const canvas = { left: 0, top: 0, right: width, bottom: height };
  return intersect(roundOut(mapRect(expand(symbol, reach), toCanvas)), canvas);
}

function pixelsIn({ words, width }: Pixmap, region: Rect): Uint32Array {
  if (isEmpty(region)) return new Uint32Array();
  const columns = region.right - region.left;
  const pixels = new Uint32Array(columns * (region.bottom - region.top));
  for (let y = region.top, to = 0; y < region.bottom; y++, to += columns) {
    pixels.set(words.subarray(y * width + region.left, y * width + region.right), to);
  }
  return pixels;
}

function isSame(one: Uint32Array, other: Uint32Array): boolean {
  return one.length === other.length && one.every((word, i) => word === other[i]);
}

async function verifyCode(pixmap: Pixmap, code: PaintedCode | undefined): Promise<Problem | undefined> {
  if (!code) return { cause: 'too small', message: 'its box is empty' };
  try {
    const findings = inspectCode(pixmap, code, await loadReader());
    return findings ? diagnose(code, findings) : { cause: 'off canvas', message: 'it lies off the canvas' };
  } catch (cause) {
    return unchecked(cause instanceof Error ? cause.message : String(cause));
  }
}

/** Reads the code at its place; undefined off the canvas. */
export function inspectCode(pixmap: Pixmap, code: PaintedCode, read: ReadBarcodes): CodeFindings | undefined {
  const { symbol, columns, rows, toCanvas } = code;
  const canvas = { left: 0, top: 0, right: pixmap.width, bottom: pixmap.height };
  const modules = moduleMap(code);
  const toModules = invert(modules);
  if (!toModules || isEmpty(intersect(mapRect(symbol, toCanvas), canvas))) return undefined;
  const region = regionOf(pixmap, code);
  const width = hypot(modules.a, modules.b);
  // a linear code's module is as high as the code
  const module = rows === 1 ? width : Math.min(width, hypot(modules.c, modules.d));
  const step = stepOf(region, module);
  const image = greyImage(pixmap, region, step);
  if (image.width === 0 || image.height === 0) return undefined;
  const fromCanvas = { a: 1 / step, b: 0, c: 0, d: 1 / step, e: -region.left / step, f: -region.top / step };
  const toCode = compose(invert(fromCanvas) ?? IDENTITY, toModules);
  const readAt = (factor: number) => {
    const readings = read(factor === 1 ? image : reduce(image, factor), FORMATS[code.symbology]);
    return readings.find((reading) => {
      const { x: u, y: v } = mapPoint(toCode, { x: reading.centre.x / factor, y: reading.centre.y / factor });
      return u > 0 && v > 0 && u < columns && v < rows && isExpected(code, reading);
    });
  };
  const reading = readAt(1);
  return {
    ...measure(image, code, fromCanvas),
    reading,
    isReadFarther: reading !== undefined && readAt(FARTHER) !== undefined,
    module,
  };
}

const mapPoint = ({ a, b, c, d, e, f }: Affine, { x, y }: Point): Point => ({
  x: a * x + c * y + e,
  y: b * x + d * y + f,
});

/** Number of pixels, in both directions, that become one. */
function stepOf(region: Rect, module: number): number {
  const pixels = (region.right - region.left) * (region.bottom - region.top);
  const wanted = Math.ceil(Math.sqrt(pixels / MAX_PIXELS));
  const needed = Math.ceil(Math.sqrt(pixels / MAX_MEMORY_PIXELS));
  return Math.max(1, needed, Math.min(wanted, Math.floor(module / MIN_REDUCED_MODULE)));
}

// Applies the filters that change each pixel's colour independently, as matrices (Filter Effects 1, section 12).
import { cos, sin } from '../../geometry/math.js';
import { allocate, kernels } from '../../kernels/kernels.js';
import type { Pixmap } from '../pixmap.js';
import type { ColorFilter } from './filter.js';

/** Three rows of factors that map straight red, green and blue to the results' red, green and blue. */
type Rows = readonly [readonly number[], readonly number[], readonly number[]];

/**
 * A matrix in the kernel's form: four columns with the contribution of red, green, blue and alpha to the results, then a
 * constant.
 */
type Matrix = readonly number[];

function matrixOf({ 0: red, 1: green, 2: blue }: Rows, constant = 0, alpha = 1): Matrix {
  const column = (i: number) => [red[i], green[i], blue[i], 0];
  return [...column(0), ...column(1), ...column(2), 0, 0, 0, alpha, constant, constant, constant, 0];
}

const IDENTITY: Rows = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

const scaled = (factor: number): Rows => [
  [factor, 0, 0],
  [0, factor, 0],
  [0, 0, factor],
];

/** Interpolates from `from` at 0 to the identity at 1. */
function blend(from: Rows, amount: number): Rows {
  const row = (i: 0 | 1 | 2) => from[i].map((value, k) => value + (IDENTITY[i][k] - value) * amount);
  return [row(0), row(1), row(2)];
}

const same = (row: readonly number[]): Rows => [row, row, row];

const SEPIA: Rows = [
  [0.393, 0.769, 0.189],
  [0.349, 0.686, 0.168],
  [0.272, 0.534, 0.131],
];

function hueRotation(degrees: number): Rows {
  const angle = (degrees * Math.PI) / 180;
  const c = cos(angle);
  const s = sin(angle);
  return [
    [0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715, 0.072 - c * 0.072 + s * 0.928],
    [0.213 - c * 0.213 + s * 0.143, 0.715 + c * 0.285 + s * 0.14, 0.072 - c * 0.072 - s * 0.283],
    [0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715, 0.072 + c * 0.928 + s * 0.072],
  ];
}

/** Builds the function's matrix. The parser limits amounts beyond 1 for the functions that end at 1. */
function colorMatrix(filter: ColorFilter): Matrix {
  if (filter.type === 'hue-rotate') return matrixOf(hueRotation(filter.degrees));
  const { type, amount } = filter;
  switch (type) {
    case 'brightness':
      return matrixOf(scaled(amount));
    case 'contrast':
      return matrixOf(scaled(amount), 0.5 - 0.5 * amount);
    case 'grayscale':
      return matrixOf(blend(same([0.2126, 0.7152, 0.0722]), 1 - amount));
    case 'invert':
      return matrixOf(scaled(1 - 2 * amount), amount);
    case 'opacity':
      return matrixOf(IDENTITY, 0, amount);
    case 'saturate':
      return matrixOf(blend(same([0.213, 0.715, 0.072]), amount));
    case 'sepia':
      return matrixOf(blend(SEPIA, 1 - amount));
  }
}

/** Pixels per call of the kernel. */
const CHUNK = 2 ** 14;

/** Applies `filters` in order to every pixel. */
export function applyColorFilters({ words }: Pixmap, filters: readonly ColorFilter[]): void {
  const values = filters.flatMap(colorMatrix);
  const [matrices, pixels] = allocate([values.length * 4, CHUNK * 4]);
  const { memory, applyColorMatrices } = kernels();
  new Float32Array(memory.buffer, matrices, values.length).set(values);
  const chunk = new Uint32Array(memory.buffer, pixels, CHUNK);
  for (let i = 0; i < words.length; i += CHUNK) {
    const part = words.subarray(i, i + CHUNK);
    chunk.set(part);
    applyColorMatrices(pixels, part.length, matrices, filters.length);
    words.set(chunk.subarray(0, part.length), i);
  }
}

// Reads barcodes from grey pixels with ZXing compiled to WebAssembly. The module is loaded with the first picture; a call is
// synchronous and can't be interrupted, so its time is bounded by the number of pixels.
import { prepareZXingModule, type ZXingModuleOverrides } from 'zxing-wasm/reader';
import type { Instantiate } from '../host.js';
import { loadModule } from '../kernels/wasm-module.js';
import type { GreyImage } from './grey-image.js';

/** Formats by their names in ZXing. */
export type BarcodeFormat =
  | 'QRCode'
  | 'Code128'
  | 'Code39'
  | 'EAN13'
  | 'EAN8'
  | 'UPCA'
  | 'ITF'
  | 'PDF417'
  | 'DataMatrix'
  | 'Aztec';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A barcode that was found. */
export interface Reading {
  /** The data, before any conversion of its characters. */
  readonly bytes: Uint8Array;
  /** The data as ZXing decodes it. */
  readonly text: string;
  readonly isMirrored: boolean;
  /** The middle of the symbol, in pixels of the image. */
  readonly centre: Point;
  /** The share of the error correction that is still unused; 1 for formats without. */
  readonly unusedCorrection: number;
}

/** Finds the barcodes of one format in an image. */
export type ReadBarcodes = (image: GreyImage, format: BarcodeFormat) => Reading[];

/** The part of the module that is used; the package's types need those of Emscripten. */
interface ZXing {
  readonly HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  readBarcodesFromPixmap(pointer: number, width: number, height: number, options: typeof OPTIONS): Results;
}

interface Results {
  size(): number;
  get(index: number): Result | undefined;
  delete(): void;
}

interface Result {
  readonly isValid: boolean;
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly isMirrored: boolean;
  readonly position: Readonly<Record<'topLeft' | 'topRight' | 'bottomLeft' | 'bottomRight', Point>>;
  /** JSON. */
  readonly extra: string;
}

/** The symbols that are looked for in one image: the layer's, and what its surroundings hold. */
const MAX_SYMBOLS = 4;

const OPTIONS = {
  formats: '',
  tryHarder: true,
  tryRotate: true,
  // many scanners read neither light codes on dark ground nor noisy ones
  tryInvert: false,
  tryDenoise: false,
  tryDownscale: true,
  downscaleThreshold: 500,
  downscaleFactor: 3,
  /** Local average. */
  binarizer: 0,
  isPure: false,
  minLineCount: 2,
  maxNumberOfSymbols: MAX_SYMBOLS,
  validateOptionalChecksum: false,
  returnErrors: false,
  /** Ignored. */
  eanAddOnSymbol: 0,
  /** Plain. */
  textMode: 0,
  /** Guessed. */
  characterSet: 0,
  tryCode39ExtendedMode: false,
};

let ready: Promise<ZXing> | undefined;

async function instantiate(): Promise<ZXing> {
  const makeInstance = await loadModule('barcode-reader');
  // in place of the package's own loading, which fetches the file from a server
  const instantiateWasm = (
    imports: Parameters<Instantiate>[0],
    done: (instance: { readonly exports: ReturnType<Instantiate> }) => void,
  ) => {
    done({ exports: makeInstance(imports) });
    return {};
  };
  const overrides = { instantiateWasm } as unknown as ZXingModuleOverrides;
  return (await prepareZXingModule({ overrides, equalityFn: () => false, fireImmediately: true })) as unknown as ZXing;
}

/** The reader. Rejects if its file is missing. */
export async function loadReader(): Promise<ReadBarcodes> {
  ready ??= instantiate();
  const loading = ready;
  try {
    const zxing = await loading;
    return (image, format) => read(zxing, image, format);
  } catch (cause) {
    if (ready === loading) ready = undefined;
    throw cause;
  }
}

function read(zxing: ZXing, { data, width, height }: GreyImage, format: BarcodeFormat): Reading[] {
  let pointer = 0;
  let results: Results | undefined;
  try {
    pointer = zxing._malloc(data.length);
    if (pointer === 0) throw new Error('the barcode reader is out of memory');
    zxing.HEAPU8.set(data, pointer);
    results = zxing.readBarcodesFromPixmap(pointer, width, height, { ...OPTIONS, formats: format });
    const readings: Reading[] = [];
    for (let i = 0; i < results.size(); i++) {
      const result = results.get(i);
      if (result?.isValid) readings.push(toReading(result));
    }
    return readings;
  } catch (cause) {
    // the next image starts with fresh memory
    ready = undefined;
    throw cause;
  } finally {
    if (ready) {
      results?.delete();
      zxing._free(pointer);
    }
  }
}

function toReading({ bytes, text, isMirrored, position, extra }: Result): Reading {
  const corners = [position.topLeft, position.topRight, position.bottomLeft, position.bottomRight];
  const mean = (axis: 'x' | 'y') => corners.reduce((sum, corner) => sum + corner[axis], 0) / 4;
  const { UEC = 1 } = extra === '' ? {} : JSON.parse(extra);
  return { bytes, text, isMirrored, centre: { x: mean('x'), y: mean('y') }, unusedCorrection: Number(UEC) };
}

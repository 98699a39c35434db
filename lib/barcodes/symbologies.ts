// The kinds of barcodes: what each takes as data, and how much light space it needs around it.
import type { Symbology } from '../contract/layers/barcode.js';

interface QuietZone {
  /** Modules. */
  readonly left: number;
  readonly right: number;
}

interface SymbologyInfo {
  /** Its name in messages, with its article. */
  readonly name: string;
  /** The light space that the standard asks for: beside bars, and on every side of a matrix code. */
  readonly quietZone: QuietZone;
  /** Digits without and with the check digit, for codes of fixed length. */
  readonly digits?: readonly [without: number, full: number];
  /** A longer text is not even tried: no code of the kind holds it. */
  readonly maxLength: number;
}

/** ISO/IEC 15417 and 16388 ask for 10 modules, GS1 General Specifications 5.2 for those of EAN and UPC. */
const TEN: QuietZone = { left: 10, right: 10 };
const around = (modules: number): QuietZone => ({ left: modules, right: modules });

export const SYMBOLOGY_INFO: Readonly<Record<Symbology, SymbologyInfo>> = {
  code128: { name: 'a Code 128', quietZone: TEN, maxLength: 500 },
  code39: { name: 'a Code 39', quietZone: TEN, maxLength: 500 },
  ean13: { name: 'an EAN-13', quietZone: { left: 11, right: 7 }, digits: [12, 13], maxLength: 13 },
  ean8: { name: 'an EAN-8', quietZone: around(7), digits: [7, 8], maxLength: 8 },
  upca: { name: 'a UPC-A', quietZone: around(9), digits: [11, 12], maxLength: 12 },
  itf14: { name: 'an ITF-14', quietZone: TEN, digits: [13, 14], maxLength: 14 },
  'gs1-128': { name: 'a GS1-128', quietZone: TEN, maxLength: 500 },
  // the most digits that the largest symbol of each holds
  pdf417: { name: 'a PDF417', quietZone: around(2), maxLength: 2710 },
  datamatrix: { name: 'a Data Matrix', quietZone: around(1), maxLength: 3116 },
  // needs none; one keeps dark neighbours apart
  aztec: { name: 'an Aztec', quietZone: around(1), maxLength: 3832 },
};

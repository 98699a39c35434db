// Compares what a scanner read with what a code says.
import type { PaintedCode } from '../layers/codes/painted-code.js';
import type { BarcodeFormat, Reading } from './reader.js';

export const FORMATS: Readonly<Record<PaintedCode['symbology'], BarcodeFormat>> = {
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
export function isExpected({ symbology, data }: PaintedCode, { bytes, text }: Reading): boolean {
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

// Encodes QR codes. It loads with the first layer that has one (render/optional-parts.ts).
import qrcode from 'qrcode-generator';
import type { QrcodeLayer } from '../../contract/layers/index.js';
import type { Modules } from './qr-shapes.js';

const encoder = new TextEncoder();

/** Encodes in byte mode, as UTF-8, in the smallest version that holds the data, with the mask of the lowest penalty. */
export function encodeQrcode(data: string, level: QrcodeLayer['errorCorrectionLevel']): Modules {
  const code = qrcode(0, level);
  // the package's text-to-bytes hook is wrong beyond Latin-1: pass it one byte per character
  code.addData(String.fromCharCode(...encoder.encode(data)), 'Byte');
  code.make();
  const size = code.getModuleCount();
  const dark = Uint8Array.from({ length: size * size }, (_, i) => Number(code.isDark(Math.floor(i / size), i % size)));
  return { size, dark };
}

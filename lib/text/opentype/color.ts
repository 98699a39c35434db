// Coloured layers of glyphs (OpenType 1.9 "COLR" version 0 and "CPAL").
import type { ColorLayer, PaletteColor } from '../text-engine.js';
import type { Data } from './data.js';

/** The palette entry that stands for the text's colour. */
const FOREGROUND = 0xffff;

export function hasColorLayers(colr: Data | undefined): boolean {
  return colr !== undefined && colr.u16(2) > 0;
}

export function readPalette(cpal: Data | undefined): PaletteColor[] {
  if (!cpal || cpal.u16(4) === 0) return [];
  const first = cpal.u32(8) + 4 * cpal.u16(12);
  return Array.from({ length: cpal.u16(2) }, (_, i) => {
    const [b, g, r, a] = [0, 1, 2, 3].map((channel) => cpal.u8(first + 4 * i + channel));
    return { r, g, b, a: a / 255 };
  });
}

export function readColorLayers(colr: Data, glyph: number, palette: readonly PaletteColor[]): ColorLayer[] {
  const bases = colr.u32(4);
  let low = 0;
  let high = colr.u16(2);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (colr.u16(bases + 6 * middle) < glyph) low = middle + 1;
    else high = middle;
  }
  const record = bases + 6 * low;
  if (low === colr.u16(2) || colr.u16(record) !== glyph) return [];
  const first = colr.u16(record + 2);
  const count = Math.min(colr.u16(record + 4), colr.u16(12) - first);
  return Array.from({ length: Math.max(0, count) }, (_, i) => {
    const layer = colr.u32(8) + 4 * (first + i);
    const index = colr.u16(layer + 2);
    return { glyph: colr.u16(layer), color: index === FOREGROUND ? undefined : palette[index] };
  });
}

// Converts a render's notes about layers into their public description (contract/api/inspection.ts): in pixels of the image,
// rounded, and of bounded size.
import type { InspectedLine, InspectionTimings, LayerInspection } from '../contract/api/inspection.js';
import type { BoxTuple, InspectedLayer } from './inspected.js';

/** Limits on an inspection's lines and their UTF-16 units: a text may have 100,000 lines, and a payload hundreds of texts. */
const MAX_LINES = 10_000;
const MAX_LINE_UNITS = 1_000_000;

/** Describes the layers. `scale` is the number of the image's pixels per pixel of the payload. */
export function describeLayers(layers: readonly InspectedLayer[], scale: number): LayerInspection[] {
  const room = { lines: MAX_LINES, units: MAX_LINE_UNITS };
  return layers.map(({ path, id, type, box, inkBox, isVisible, alt, lines, fontSize, fonts, overflow, ...image }) => {
    const { natural, source, bytes, format } = image;
    return {
      path,
      ...(id !== undefined && { id }),
      type,
      box: rounded(box, scale),
      inkBox: rounded(inkBox),
      ...(!isVisible && { visible: false }),
      ...(alt !== undefined && { alt }),
      ...(fontSize !== undefined && { fontSize: round(fontSize) }),
      ...(lines && describeLines(lines, scale, room)),
      ...(fonts && { fonts }),
      ...(overflow !== undefined && { overflow }),
      ...(natural && { natural: [round(natural[0]), round(natural[1])] }),
      ...(source && { source: rounded(source) }),
      ...(bytes !== undefined && { bytes }),
      ...(format !== undefined && { format }),
    };
  });
}

/** Rounds the timings to tenths of a millisecond. */
export function inspectionTimings({ check, load, layout }: InspectionTimings): InspectionTimings {
  const tenths = (milliseconds: number) => Math.round(milliseconds * 10) / 10;
  return { check: tenths(check), load: tenths(load), layout: tenths(layout) };
}

/** Describes as many lines as the limits allow. */
function describeLines(
  lines: NonNullable<InspectedLayer['lines']>,
  scale: number,
  room: { lines: number; units: number },
): Pick<LayerInspection, 'lines' | 'moreLines'> {
  const described: InspectedLine[] = [];
  for (const { text, x, y, width, baseline } of lines) {
    if (room.lines === 0 || room.units < text.length) break;
    room.lines--;
    room.units -= text.length;
    const at = (length: number) => round(length * scale);
    described.push({ text, x: at(x), y: at(y), width: at(width), baseline: at(baseline) });
  }
  const more = lines.length - described.length;
  return { lines: described, ...(more > 0 && { moreLines: more }) };
}

function rounded([x, y, width, height]: BoxTuple, scale = 1): BoxTuple {
  return [round(x * scale), round(y * scale), round(width * scale), round(height * scale)];
}

/** Rounds to hundredths, and never to -0. */
function round(length: number): number {
  return Math.round(length * 100) / 100 + 0;
}

// Pictures as objects of the document: colours by the PNG encoder, alpha as a soft mask (ISO 32000-1, 8.9). Each is embedded once.

import { concatBytes } from '../bytes/bytes.js';
import { straightPixels } from '../codecs/alpha.js';
import { colorRows, indexedRows } from '../codecs/png/bands.js';
import type { PictureFile } from '../paint/target.js';
import { Pixmap } from '../raster/pixmap.js';
import { deflate } from './deflate.js';
import { type Jpeg, readJpeg } from './jpeg.js';
import { hex4 } from './syntax.js';
import { type PdfWriter, type Ref, refTo } from './writer.js';

export class DocumentPictures {
  private readonly known = new Map<string, Ref>();

  private readonly smooth: string;

  /** `isArchival`: whether pictures have no hints for viewers, and no colours of a device that is unknown. */
  constructor(
    private readonly writer: PdfWriter,
    private readonly isArchival = false,
  ) {
    this.smooth = isArchival ? '' : '/Interpolate true';
  }

  /** The object of a picture's pixels. */
  of(pixmap: Pixmap): Ref {
    return this.once(keyOf(pixmap), () => this.embed(pixmap));
  }

  /** The object of a JPEG file as it came; undefined if viewers may not decode it. */
  ofFile({ bytes }: PictureFile): Ref | undefined {
    const jpeg = readJpeg(bytes);
    if (this.isArchival && jpeg?.components === 4 && !jpeg.profile) return undefined;
    return jpeg && this.once(`${jpeg.data.length} ${hashOf(jpeg.data)}`, () => this.embedJpeg(jpeg));
  }

  private once(key: string, embed: () => Ref): Ref {
    const ref = this.known.get(key) ?? embed();
    this.known.set(key, ref);
    return ref;
  }

  private embedJpeg({ data, width, height, space, components, profile, parameters }: Jpeg): Ref {
    const { writer } = this;
    const managed = profile && writer.addStream(`/N ${components}/Alternate${space}`, profile);
    const colors = managed === undefined ? space : `[/ICCBased ${refTo(managed)}]`;
    return writer.addStream(head(width, height, colors, this.smooth + parameters), data, '/Filter/DCTDecode');
  }

  private embed(pixmap: Pixmap): Ref {
    const { width, height } = pixmap;
    if (pixmap.isOpaque()) return this.embedOpaque(pixmap, this.smooth);
    const straight = straightPixels(pixmap);
    const mask = this.embedAlpha(straight, width, height);
    const entries = `${this.smooth}/SMask ${refTo(mask)}`;
    const single = singleColor(straight);
    if (single !== undefined) return this.embedOpaque(single, entries);
    const opaque = new Pixmap(width, height, straight);
    for (let i = 3; i < straight.length; i += 4) straight[i] = 255;
    return this.embedOpaque(opaque, entries);
  }

  private embedOpaque(pixmap: Pixmap, entries: string): Ref {
    const { width, height } = pixmap;
    const indexed = indexedRows(pixmap);
    let space = '/DeviceRGB';
    if (indexed) {
      const bytes = new Uint8Array(indexed.colors.buffer);
      let palette = '';
      for (let i = 0; i < indexed.colors.length; i++) {
        for (let c = 0; c < 3; c++) palette += hex4(bytes[i * 4 + c]).slice(2);
      }
      space = `[/Indexed/DeviceRGB ${indexed.colors.length - 1}<${palette}>]`;
    }
    const rows = indexed?.rows ?? colorRows(pixmap, 3);
    const coded = `/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors ${indexed ? 1 : 3}/Columns ${width}>>`;
    return this.writer.addStream(head(width, height, space, entries), concatBytes(rows), coded);
  }

  private embedAlpha(straight: Uint8ClampedArray, width: number, height: number): Ref {
    // PNG's filter Up: shadows and gradients change little from row to row
    const rows = new Uint8Array((width + 1) * height);
    for (let y = 0, at = 0; y < height; y++) {
      rows[at++] = 2;
      for (let x = 0; x < width; x++) {
        const i = (y * width + x) * 4 + 3;
        rows[at++] = straight[i] - (y > 0 ? straight[i - width * 4] : 0);
      }
    }
    const coded = `/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors 1/Columns ${width}>>`;
    return this.writer.addStream(head(width, height, '/DeviceGray', this.smooth), deflate(rows, width + 1), coded);
  }
}

function head(width: number, height: number, space: string, entries: string): string {
  return `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace${space}/BitsPerComponent 8${entries}`;
}

/** A picture of one pixel in the only colour that shows; undefined if there are several. */
function singleColor(straight: Uint8ClampedArray): Pixmap | undefined {
  let first = -1;
  for (let i = 0; i < straight.length; i += 4) {
    // the colours of faint pixels are rounded
    if (straight[i + 3] < 128) continue;
    if (first < 0) first = i;
    for (let c = 0; c < 3; c++) if (Math.abs(straight[i + c] - straight[first + c]) > 1) return undefined;
  }
  if (first < 0) {
    first = 0;
    for (let i = 0; i < straight.length; i += 4) if (straight[i + 3] > straight[first + 3]) first = i;
    for (let i = 0; i < straight.length; i += 4) {
      const allowance = straight[i + 3] === 0 ? 255 : 255 / straight[i + 3];
      for (let c = 0; c < 3; c++) if (Math.abs(straight[i + c] - straight[first + c]) > allowance) return undefined;
    }
  }
  return new Pixmap(1, 1, Uint8ClampedArray.of(straight[first], straight[first + 1], straight[first + 2], 255));
}

function keyOf({ width, height, words }: Pixmap): string {
  return `${width} ${height} ${hashOf(words)}`;
}

function hashOf(values: Uint32Array | Uint8Array): string {
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  for (let i = 0; i < values.length; i++) {
    a = Math.imul(a ^ values[i], 0x01000193);
    b = Math.imul(b ^ values[i], 0x85ebca6b) ^ (b >>> 13);
  }
  return `${a} ${b}`;
}

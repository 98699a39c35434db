// Writes the objects of a PDF as they are done: streams at once, other objects in compressed object streams, and at the end
// the cross-reference stream (ISO 32000-1, 7.5). The same objects make the same bytes.
import { deflate } from './deflate.js';
import { hex4, latin1 } from './syntax.js';

/** The number of an object. */
export type Ref = number;

/** Objects in one object stream. */
const MAX_PACKED = 100;

/** The place of an object: an offset of the file, or an index in an object stream. */
type Place = { readonly offset: number } | { readonly container: Ref; readonly index: number };

export class PdfWriter {
  private length = 0;
  private readonly places: (Place | undefined)[] = [];
  private packed: { readonly ref: Ref; readonly body: string }[] = [];
  private readonly hash = new Hash();

  /** `emit` takes the bytes of the file one after the other. */
  constructor(private readonly emit: (bytes: Uint8Array) => void) {
    // four bytes beyond ASCII tell other programs that the file is binary
    this.write(latin1('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'));
  }

  /** Reserves the number of an object that is written later. */
  reserve(): Ref {
    return this.places.push(undefined);
  }

  add(body: string, ref = this.reserve()): Ref {
    this.packed.push({ ref, body });
    if (this.packed.length === MAX_PACKED) this.writePacked();
    return ref;
  }

  /** Adds a stream; `entries` are those of its dictionary but its length and filter. Compresses `bytes` unless they are `coded`. */
  addStream(entries: string, bytes: Uint8Array, coded?: string, ref = this.reserve()): Ref {
    const data = coded === undefined ? deflate(bytes) : bytes;
    const isSmaller = coded !== undefined || data.length < bytes.length;
    const filter = coded ?? (isSmaller ? '/Filter/FlateDecode' : '');
    const body = isSmaller ? data : bytes;
    this.places[ref - 1] = { offset: this.length };
    this.write(latin1(`${ref} 0 obj\n<<${entries}${filter}/Length ${body.length}>>\nstream\n`));
    this.write(body);
    this.write(latin1('\nendstream\nendobj\n'));
    return ref;
  }

  /** Writes what is left, and the cross-references. `trailer`: entries for the document's root and information. */
  finish(trailer: string): void {
    this.writePacked();
    const ref = this.reserve();
    const start = this.length;
    this.places[ref - 1] = { offset: start };
    const rows = new Uint8Array((this.places.length + 1) * 7);
    // the first entry is the head of the list of free objects
    rows.set([0, 0, 0, 0, 0, 255, 255]);
    const view = new DataView(rows.buffer);
    this.places.forEach((place, i) => {
      if (!place) throw new Error(`object ${i + 1} was reserved, but not written`);
      const at = (i + 1) * 7;
      rows[at] = 'offset' in place ? 1 : 2;
      view.setUint32(at + 1, 'offset' in place ? place.offset : place.container);
      view.setUint16(at + 5, 'offset' in place ? 0 : place.index);
    });
    const id = this.hash.hex();
    const entries = `/Type/XRef/Size ${this.places.length + 1}/W[1 4 2]${trailer}/ID[<${id}><${id}>]`;
    const coded = '/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 7>>';
    this.addStream(entries, deflate(differences(rows, 7)), coded, ref);
    this.write(latin1(`startxref\n${start}\n%%EOF\n`));
  }

  private writePacked(): void {
    const { packed } = this;
    if (packed.length === 0) return;
    this.packed = [];
    const container = this.reserve();
    let head = '';
    let bodies = '';
    packed.forEach(({ ref, body }, index) => {
      this.places[ref - 1] = { container, index };
      head += `${ref} ${bodies.length} `;
      bodies += `${body}\n`;
    });
    const entries = `/Type/ObjStm/N ${packed.length}/First ${head.length}`;
    this.addStream(entries, latin1(head + bodies), undefined, container);
  }

  private write(bytes: Uint8Array): void {
    this.hash.update(bytes);
    this.length += bytes.length;
    this.emit(bytes);
  }
}

/** The rows as PNG's filter Up has them: what follows one row by another becomes the same bytes. */
function differences(rows: Uint8Array, width: number): Uint8Array {
  const count = rows.length / width;
  const filtered = new Uint8Array(rows.length + count);
  for (let row = 0, at = 0; row < count; row++) {
    filtered[at++] = 2;
    for (let i = row * width; i < (row + 1) * width; i++) filtered[at++] = rows[i] - (row > 0 ? rows[i - width] : 0);
  }
  return filtered;
}

/** A hash of 128 bits (four of FNV-1a with different starts), to tell files apart: no secret depends on it. */
class Hash {
  private readonly words = Uint32Array.of(0x811c9dc5, 0x01000193, 0x9e3779b9, 0x85ebca6b);

  update(bytes: Uint8Array): void {
    let [a, b, c, d] = this.words;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i];
      a = Math.imul(a ^ byte, 0x01000193);
      b = Math.imul(b ^ byte, 0x01000197) + a;
      c = Math.imul(c ^ byte, 0x010001a3) ^ (b >>> 15);
      d = Math.imul(d ^ byte, 0x010001b3) + (c >>> 13);
    }
    this.words.set([a, b, c, d]);
  }

  hex(): string {
    return Array.from(this.words, (word) => hex4(word >>> 16) + hex4(word & 0xffff)).join('');
  }
}

/** A reference to an object. */
export function refTo(ref: Ref): string {
  return `${ref} 0 R`;
}

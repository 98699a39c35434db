// Finds the records of a segment by their digests: a hash table in typed arrays, about 19 bytes for each record.

const FIRST_CAPACITY = 64;

/** Digests are compared by 64 of their bits, so a match has to be confirmed by reading the record. */
export class SegmentIndex {
  /** Four bytes of each record's digest, by record number. */
  #tags = new Uint32Array(FIRST_CAPACITY);
  /** Record numbers + 1 with linear probing; 0 is free. The length is a power of two, more than 4/3 of the records. */
  #slots = new Uint32Array(2 * FIRST_CAPACITY);
  /** Four further bytes of each record's digest, which determine its slot. */
  #hashes = new Uint32Array(FIRST_CAPACITY);
  #size = 0;

  /** Memory in bytes. */
  get bytes(): number {
    return this.#tags.byteLength + this.#hashes.byteLength + this.#slots.byteLength;
  }

  /** Adds the record `number`. Numbers increase; not all of them need to be added. `digest` starts at `start` of `bytes`. */
  add(number: number, bytes: Buffer, start = 0): void {
    if (number >= this.#tags.length) {
      const capacity = Math.max(number + 1, 2 * this.#tags.length);
      this.#tags = enlarged(this.#tags, capacity);
      this.#hashes = enlarged(this.#hashes, capacity);
    }
    this.#tags[number] = bytes.readUInt32LE(start);
    this.#hashes[number] = bytes.readUInt32LE(start + 4);
    if (++this.#size * 4 > this.#slots.length * 3) this.#rehash();
    this.#insert(this.#slots, number);
  }

  /** The numbers of the records that probably have this digest. */
  candidates(digest: Buffer): number[] {
    const tag = digest.readUInt32LE(0);
    const hash = digest.readUInt32LE(4);
    const mask = this.#slots.length - 1;
    const found: number[] = [];
    for (let slot = hash & mask; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const number = this.#slots[slot] - 1;
      if (this.#tags[number] === tag && this.#hashes[number] === hash) found.push(number);
    }
    return found;
  }

  #insert(slots: Uint32Array, number: number): void {
    const mask = slots.length - 1;
    let slot = this.#hashes[number] & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = number + 1;
  }

  #rehash(): void {
    const slots = new Uint32Array(2 * this.#slots.length);
    for (const entry of this.#slots) if (entry !== 0) this.#insert(slots, entry - 1);
    this.#slots = slots;
  }
}

function enlarged(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(length);
  copy.set(array);
  return copy;
}

// Pixels → indexes into a palette that grows as colours are met, 256 at most. Exact: no colour is merged or moved.

const SLOTS: u32 = 1024;
/** By open addressing: colour, index; an index of -1 marks a free slot. */
const keys = memory.data(4096, 16);
const places = memory.data(4096, 16);
/** The colours in the order of their indexes. */
const colors = memory.data(1024, 16);
let found: i32 = 0;
let lastWord: u32 = 0;
let lastIndex: i32 = -1;

export function paletteStart(): void {
  memory.fill(places, 255, 4096);
  found = 0;
  lastIndex = -1;
}

/** The colour of an index, as a word of the pixels. */
export function indexedColor(index: i32): u32 {
  return load<u32>(colors + (index << 2));
}

/** The index of a colour; -1 when it would be the 257th. */
function indexOf(word: u32): i32 {
  if (word == lastWord && lastIndex >= 0) return lastIndex;
  let slot = (word * 0x9e3779b1) >> 22;
  while (true) {
    const index = load<i32>(places + (slot << 2));
    if (index < 0) break;
    if (load<u32>(keys + (slot << 2)) == word) {
      lastWord = word;
      lastIndex = index;
      return index;
    }
    slot = (slot + 1) & (SLOTS - 1);
  }
  if (found == 256) return -1;
  store<u32>(keys + (slot << 2), word);
  store<i32>(places + (slot << 2), found);
  store<u32>(colors + (found << 2), word);
  lastWord = word;
  lastIndex = found;
  return found++;
}

/**
 * Writes `rows` rows of `width` pixels at `pixels` to `out` as a byte 0 (no filter) and an index a pixel. A row marked in
 * `repeats` equals the one above and isn't read: filter Up and zeros. Returns how many colours there are up to now, 0 when
 * they are more than 256. Writes up to 16 bytes beyond the end.
 */
export function indexRows(pixels: usize, width: i32, rows: i32, repeats: usize, out: usize): i32 {
  for (let y = 0; y < rows; y++) {
    if (load<u8>(repeats + y)) {
      store<u8>(out, 2);
      memory.fill(out + 1, 0, width);
      out += width + 1;
      pixels += <usize>width << 2;
      continue;
    }
    store<u8>(out++, 0);
    const end = pixels + (<usize>width << 2);
    while (pixels < end) {
      const word = load<u32>(pixels);
      const index = indexOf(word);
      if (index < 0) return 0;
      // sixteen equal pixels at a time: most of a card is background
      const same = i32x4.splat(word);
      const many = i8x16.splat(<i8>index);
      while (
        pixels + 64 <= end &&
        i32x4.all_true(
          v128.and(
            v128.and(i32x4.eq(v128.load(pixels), same), i32x4.eq(v128.load(pixels, 16), same)),
            v128.and(i32x4.eq(v128.load(pixels, 32), same), i32x4.eq(v128.load(pixels, 48), same)),
          ),
        )
      ) {
        v128.store(out, many);
        out += 16;
        pixels += 64;
      }
      while (pixels < end && load<u32>(pixels) == word) {
        store<u8>(out++, <u8>index);
        pixels += 4;
      }
    }
  }
  return found;
}

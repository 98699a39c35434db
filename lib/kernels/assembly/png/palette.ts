// Converts pixels to indexes into a palette that is built in order of appearance, at most 256 colours. Lossless: no
// colours are merged.

const SLOTS: u32 = 1024;
/** Open-addressing hash table: colour (`keys`) → index (`indexes`); index -1 marks a free slot. */
const keys = memory.data(4096, 16);
const indexes = memory.data(4096, 16);
/** The colours by index. */
const colors = memory.data(1024, 16);
let colorCount: i32 = 0;
let lastColor: u32 = 0;
let lastIndex: i32 = -1;

export function paletteStart(): void {
  memory.fill(indexes, 255, 4096);
  colorCount = 0;
  lastIndex = -1;
}

/** The colour at `index`, as a 32-bit pixel. */
export function indexedColor(index: i32): u32 {
  return load<u32>(colors + (index << 2));
}

/** The index of a colour; -1 if it would be the 257th. */
function indexOf(color: u32): i32 {
  if (color == lastColor && lastIndex >= 0) return lastIndex;
  let slot = (color * 0x9e3779b1) >> 22;
  while (true) {
    const index = load<i32>(indexes + (slot << 2));
    if (index < 0) break;
    if (load<u32>(keys + (slot << 2)) == color) {
      lastColor = color;
      lastIndex = index;
      return index;
    }
    slot = (slot + 1) & (SLOTS - 1);
  }
  if (colorCount == 256) return -1;
  store<u32>(keys + (slot << 2), color);
  store<i32>(indexes + (slot << 2), colorCount);
  store<u32>(colors + (colorCount << 2), color);
  lastColor = color;
  lastIndex = colorCount;
  return colorCount++;
}

/**
 * Writes `rows` rows of `width` pixels at `pixels` to `out`: a byte 0 (filter None), then one index per pixel. A row
 * marked in `repeats` equals the previous row and isn't read: it becomes filter Up and zeros. Returns the number of
 * colours so far, or 0 if there are more than 256. Writes up to 16 bytes past the end.
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
      const color = load<u32>(pixels);
      const index = indexOf(color);
      if (index < 0) return 0;
      // sixteen equal pixels at a time: most of a card is background
      const same = i32x4.splat(color);
      const sixteenIndexes = i8x16.splat(<i8>index);
      while (
        pixels + 64 <= end &&
        i32x4.all_true(
          v128.and(
            v128.and(i32x4.eq(v128.load(pixels), same), i32x4.eq(v128.load(pixels, 16), same)),
            v128.and(i32x4.eq(v128.load(pixels, 32), same), i32x4.eq(v128.load(pixels, 48), same)),
          ),
        )
      ) {
        v128.store(out, sixteenIndexes);
        out += 16;
        pixels += 64;
      }
      while (pixels < end && load<u32>(pixels) == color) {
        store<u8>(out++, <u8>index);
        pixels += 4;
      }
    }
  }
  return colorCount;
}

// GIF's variable-length LZW codes → colour indexes (GIF89a appendix F). Bounded by the output's length; never loops.

const MAX_CODES = 4096;

/**
 * Fills `out` from `packed` (sub-blocks joined), whose first codes have `minimum` + 1 bits. Returns how many indexes were
 * written: fewer than asked when the data ends early. Undefined when a code makes no sense.
 */
export function inflateLzw(packed: Uint8Array, minimum: number, out: Uint8Array): number | undefined {
  const clear = 1 << minimum;
  const end = clear + 1;
  const prefix = new Uint16Array(MAX_CODES);
  const suffix = new Uint8Array(MAX_CODES);
  const length = new Uint16Array(MAX_CODES);
  for (let code = 0; code < clear; code++) {
    suffix[code] = code;
    length[code] = 1;
  }
  let next = clear + 2;
  let bits = minimum + 1;
  let previous = -1;
  let first = 0;
  let held = 0;
  let heldBits = 0;
  let to = 0;

  for (let at = 0; to < out.length; ) {
    while (heldBits < bits) {
      if (at === packed.length) return to;
      held |= packed[at++] << heldBits;
      heldBits += 8;
    }
    const code = held & ((1 << bits) - 1);
    held >>>= bits;
    heldBits -= bits;
    if (code === end) return to;
    if (code === clear) {
      next = clear + 2;
      bits = minimum + 1;
      previous = -1;
      continue;
    }
    // A code may name the very entry that it is about to create: the previous string and its own first index.
    const known = code < next && code !== end;
    if (!known && (code !== next || previous < 0)) return undefined;
    let source = known ? code : previous;
    const count = length[source];
    for (let i = to + count - 1; i >= to; i--, source = prefix[source]) {
      if (i < out.length) out[i] = suffix[source];
      first = suffix[source];
    }
    to += count;
    if (!known && to < out.length) out[to] = first;
    if (!known) to++;
    if (previous >= 0 && next < MAX_CODES) {
      prefix[next] = previous;
      suffix[next] = first;
      length[next] = length[previous] + 1;
      next++;
    }
    // outside of the branch: codes of 2 bits are all taken by a first code size of 1, before any entry is made
    if (next === 1 << bits && bits < 12) bits++;
    previous = code;
  }
  return out.length;
}

// Decodes GIF's variable-length LZW codes to colour indexes (GIF89a appendix F). Stops at the length of the output;
// always terminates.

const MAX_CODES = 4096;

/**
 * Fills `out` from `data` (joined sub-blocks), whose first codes have `minCodeSize` + 1 bits. Returns the number of
 * indexes written, which is less than requested if the data ends early; undefined for an invalid code.
 */
export function inflateLzw(data: Uint8Array, minCodeSize: number, out: Uint8Array): number | undefined {
  const clearCode = 1 << minCodeSize;
  const endCode = clearCode + 1;
  const prefix = new Uint16Array(MAX_CODES);
  const suffix = new Uint8Array(MAX_CODES);
  const length = new Uint16Array(MAX_CODES);
  for (let code = 0; code < clearCode; code++) {
    suffix[code] = code;
    length[code] = 1;
  }
  let nextCode = clearCode + 2;
  let codeBits = minCodeSize + 1;
  let previousCode = -1;
  let first = 0;
  let bitBuffer = 0;
  let bufferedBits = 0;
  let to = 0;

  for (let at = 0; to < out.length; ) {
    while (bufferedBits < codeBits) {
      if (at === data.length) return to;
      bitBuffer |= data[at++] << bufferedBits;
      bufferedBits += 8;
    }
    const code = bitBuffer & ((1 << codeBits) - 1);
    bitBuffer >>>= codeBits;
    bufferedBits -= codeBits;
    if (code === endCode) return to;
    if (code === clearCode) {
      nextCode = clearCode + 2;
      codeBits = minCodeSize + 1;
      previousCode = -1;
      continue;
    }
    // A code may refer to the entry that it is about to create: the previous string plus that string's first index.
    const isKnown = code < nextCode && code !== endCode;
    if (!isKnown && (code !== nextCode || previousCode < 0)) return undefined;
    let source = isKnown ? code : previousCode;
    const count = length[source];
    for (let i = to + count - 1; i >= to; i--, source = prefix[source]) {
      if (i < out.length) out[i] = suffix[source];
      first = suffix[source];
    }
    to += count;
    if (!isKnown && to < out.length) out[to] = first;
    if (!isKnown) to++;
    if (previousCode >= 0 && nextCode < MAX_CODES) {
      prefix[nextCode] = previousCode;
      suffix[nextCode] = first;
      length[nextCode] = length[previousCode] + 1;
      nextCode++;
    }
    // not inside the branch above: with a minimum code size of 1, all 2-bit codes are taken before any entry is created
    if (nextCode === 1 << codeBits && codeBits < 12) codeBits++;
    previousCode = code;
  }
  return out.length;
}

// Reproducible random numbers: sfc32 (Chris Doty-Humphrey's small fast counter), seeded with a text.

export interface Random {
  /** 0 to 2³² - 1. */
  next(): number;
  /** A whole number from 0 to `count` - 1; 0 when there is nothing to choose from. */
  below(count: number): number;
  /** True once in `times`. */
  oneIn(times: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** One of the numbers at which code breaks: around powers of two, zero, signs. Any 32 bits may come. */
  edge(): number;
}

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

/** The same text gives the same numbers, on every machine. */
export function createRandom(seed: string): Random {
  let a = hash(`a${seed}`);
  let b = hash(`b${seed}`);
  let c = hash(`c${seed}`);
  let counter = 1;
  const next = () => {
    const result = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + result) | 0;
    return result >>> 0;
  };
  // seeds that differ in a bit are far apart after twelve rounds
  for (let round = 0; round < 12; round++) next();
  const below = (count: number) => (count > 0 ? next() % count : 0);
  return {
    next,
    below,
    oneIn: (times) => below(times) === 0,
    pick: (items) => items[below(items.length)],
    edge: () => {
      switch (below(4)) {
        case 0:
          return below(18);
        case 1:
          return (2 ** below(33) - 1 + below(3)) >>> 0;
        case 2:
          return (-1 - below(18)) >>> 0;
        default:
          return next();
      }
    },
  };
}

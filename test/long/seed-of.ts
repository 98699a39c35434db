/** The seed of one case: seeds that differ by one have no cases in common. */
export function seedOf(seed: number, index: number): number {
  return (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca77)) >>> 0;
}

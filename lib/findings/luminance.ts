// Relative luminance and contrast as WCAG 2 defines them.

/** The linear value of each 8-bit channel. */
const LINEAR = Float64Array.from({ length: 256 }, (_, value) => {
  const channel = value / 255;
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
});

/** The luminance of a premultiplied pixel on a backdrop of one grey, 0–255. */
export function luminance(data: ArrayLike<number>, at: number, grey: number): number {
  const rest = ((255 - data[at + 3]) * grey) / 255;
  const channel = (value: number) => LINEAR[Math.min(255, Math.round(value + rest))];
  return 0.2126 * channel(data[at]) + 0.7152 * channel(data[at + 1]) + 0.0722 * channel(data[at + 2]);
}

/** The contrast of two pixels. Where they are translucent, nobody knows what will lie behind: the better of black and white. */
export function ratioOf(front: Uint8ClampedArray, back: Uint8ClampedArray, at: number): number {
  const onGrey = (grey: number) => {
    const [one, other] = [luminance(front, at, grey), luminance(back, at, grey)];
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  };
  const onWhite = onGrey(255);
  return front[at + 3] === 255 && back[at + 3] === 255 ? onWhite : Math.max(onWhite, onGrey(0));
}

/** Ratios from 1 to 21, to a hundredth. */
export class RatioHistogram {
  readonly #bins = new Uint32Array(2101);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(ratio: number, times = 1): void {
    this.#bins[Math.min(2100, Math.max(0, Math.floor(ratio * 100)))] += times;
    this.#count += times;
  }

  /** The ratio that a share of the samples is at or below. */
  quantile(share: number): number {
    let rest = share * this.#count;
    for (let bin = 0; bin < this.#bins.length; bin++) {
      rest -= this.#bins[bin];
      if (rest > 0 || this.#bins[bin] === 0) continue;
      return bin / 100;
    }
    return 21;
  }
}

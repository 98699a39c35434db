// The resolved form of a profile: a curve for each channel, and the matrix that takes linear light to CIE XYZ.

/** The light (0–1) of a sample (0–1). May return anything for hostile parameters, so its users clamp. */
export type Curve = (sample: number) => number;

/** Nine numbers, row by row. */
export type ColorMatrix = readonly number[];

/** XYZ is relative to D50, as profiles store it. `gray`: the curve gives the luminance of a neutral colour. */
export type ProfileSpace =
  | { readonly kind: 'rgb'; readonly curves: readonly [Curve, Curve, Curve]; readonly toXyz: ColorMatrix }
  | { readonly kind: 'gray'; readonly curve: Curve };

/** Says why a profile can't be used. The message completes "its colour profile is ignored: …". */
export class ProfileError extends Error {
  override readonly name = 'ProfileError';
}

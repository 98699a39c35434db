// The face that a weight and a style choose from a family: CSS Fonts 4 section 5.2, steps for style and weight.

interface Candidate {
  /** CSS weight, 1–1000. */
  readonly weight: number;
  readonly style: 'normal' | 'italic';
}

/** The nearest of `faces` (not empty): style first, then weight. */
export function matchFace<F extends Candidate>(faces: readonly F[], weight: number, style: F['style']): F {
  const inStyle = faces.filter((face) => face.style === style);
  const candidates = inStyle.length > 0 ? inStyle : faces;
  return candidates.reduce((best, face) =>
    distance(face.weight, weight) < distance(best.weight, weight) ? face : best,
  );
}

/** How late a weight is asked for in the standard's order; less is sooner. */
function distance(weight: number, wanted: number): number {
  const LATER = 1000;
  if (weight === wanted) return 0;
  if (wanted >= 400 && wanted <= 500) {
    if (weight > wanted && weight <= 500) return weight - wanted;
    return weight < wanted ? LATER + wanted - weight : 2 * LATER + weight - wanted;
  }
  if (wanted < 400) return weight < wanted ? wanted - weight : LATER + weight - wanted;
  return weight > wanted ? weight - wanted : LATER + wanted - weight;
}

// Which of a layer's fields draw lines around its box. Without zod: painting uses it.

/** How a line is drawn. */
export interface BorderLine {
  readonly style?: 'solid' | 'dashed' | 'dotted' | 'double' | undefined;
  readonly dash?: readonly number[] | undefined;
  readonly dashOffset?: number | undefined;
  readonly cap?: 'butt' | 'round' | 'square' | undefined;
}

const BORDERS = ['border', 'borderTop', 'borderRight', 'borderBottom', 'borderLeft'] as const;
type BorderName = (typeof BORDERS)[number];

/** A layer that may have lines around its box. */
export type BorderFields = { readonly [Name in BorderName]?: BorderLine | undefined };

/** The lines that the layer has, by their fields. */
export function bordersOf(layer: object): (readonly [name: BorderName, line: BorderLine])[] {
  return BORDERS.flatMap((name) => {
    const line = (layer as BorderFields)[name];
    return line ? [[name, line] as const] : [];
  });
}

/** Whether a line is drawn around the layer's box, or along one of its sides. */
export function hasBorder(layer: BorderFields): boolean {
  return BORDERS.some((name) => layer[name] !== undefined);
}

// How far the bundled families reach above and below the baseline, in parts of the font size: bullets of lists are drawn from
// it. A test compares it with the font files.

export interface FontMetrics {
  readonly ascent: number;
  readonly descent: number;
  readonly lineGap: number;
}

type Row = readonly [ascent: number, descent: number, lineGap?: number];

export const FONT_METRICS: Readonly<Record<string, Row>> = {
  Inter: [0.9688, 0.2412],
  Roboto: [0.9277, 0.2441],
  'Open Sans': [1.0688, 0.293],
  Lato: [0.987, 0.213],
  Montserrat: [0.968, 0.251],
  Poppins: [1.05, 0.35, 0.1],
  Nunito: [1.011, 0.353],
  'DM Sans': [0.992, 0.31],
  'Work Sans': [0.93, 0.243],
  Raleway: [0.94, 0.234],
  Oswald: [1.193, 0.289],
  'Source Sans 3': [1.024, 0.4],
  'Source Serif 4': [1.036, 0.335],
  Merriweather: [0.984, 0.273],
  Lora: [1.006, 0.274],
  'Playfair Display': [1.082, 0.251],
  'JetBrains Mono': [1.02, 0.3],
  'Bebas Neue': [0.9, 0.3],
  Anton: [1.1763, 0.3291],
  Pacifico: [1.303, 0.453],
  Lobster: [1, 0.25],
  'Dancing Script': [0.92, 0.28],
  'Noto Sans': [1.069, 0.293],
  'Noto Sans Arabic': [1.374, 0.738],
  'Noto Sans Hebrew': [1.068, 0.292],
  'Noto Sans JP': [1.16, 0.288],
  'Noto Sans SC': [1.16, 0.288],
  'Noto Sans KR': [1.16, 0.288],
};

/** The metrics of a family; those of Inter for families that are not bundled. */
export function fontMetrics(family: string): FontMetrics {
  const name = family === 'monospace' || family === 'ui-monospace' ? 'JetBrains Mono' : family;
  const found = Object.keys(FONT_METRICS).find((each) => each.toLowerCase() === name.toLowerCase());
  const [ascent, descent, lineGap = 0] = FONT_METRICS[found ?? 'Inter'];
  return { ascent, descent, lineGap };
}

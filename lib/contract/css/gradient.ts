// Parses CSS gradients (CSS Images 4, section 3) to plain data.
import type { LengthPercentage, Position } from '../../geometry/length.js';
import type {
  ColorSpace,
  Gradient,
  HueDirection,
  Interpolation,
  RadialExtent,
  Stop,
} from '../../raster/gradient/gradient.js';
import { readPosition } from './position.js';
import { readAngle, readLength, Scanner } from './scanner.js';

/** Colour stops, each with its one or two positions, and hints. */
export const MAX_STOPS = 64;
/** A gradient of 64 stops in the longest notation has a quarter of it. */
const MAX_LENGTH = 16_384;

const SPACES: readonly ColorSpace[] = ['srgb', 'srgb-linear', 'oklab', 'oklch', 'hsl'];
const POLAR: readonly ColorSpace[] = ['oklch', 'hsl'];
const HUES: readonly HueDirection[] = ['shorter', 'longer', 'increasing', 'decreasing'];
const EXTENTS: readonly RadialExtent[] = ['closest-side', 'closest-corner', 'farthest-side', 'farthest-corner'];
const SRGB: Interpolation = { space: 'srgb', hue: 'shorter' };
const CENTER: Position = { x: { px: 0, percent: 50 }, y: { px: 0, percent: 50 } };

const FUNCTION = /^(repeating-)?(linear|radial|conic)-gradient$/;
/** Matches the start of a gradient. */
const GRADIENT = /^\s*(?:repeating-)?(?:linear|radial|conic)-gradient\s*\(/i;

/** Whether `text` is meant as a gradient rather than as a colour. */
export function isGradientText(text: string): boolean {
  return GRADIENT.test(text);
}

/** Parses a gradient, or returns what was expected instead and where. */
export function parseGradient(text: string): Gradient | string {
  if (text.length > MAX_LENGTH) return `a gradient of at most ${MAX_LENGTH} characters`;
  const scanner = new Scanner(text);
  const [, repeats, kind] = FUNCTION.exec(scanner.functionName() ?? '') ?? [];
  const repeating = repeats !== undefined;
  switch (kind) {
    case 'linear':
      return withStops(scanner, readLinear(scanner), readLength, (first, stops) => ({
        kind,
        repeating,
        direction: first.direction,
        ...first.interpolation,
        stops,
      }));
    case 'radial':
      return withStops(scanner, readRadial(scanner), readLength, ({ interpolation, ...first }, stops) => ({
        kind,
        repeating,
        ...first,
        ...interpolation,
        stops,
      }));
    case 'conic':
      return withStops(scanner, readConic(scanner), readTurn, ({ interpolation, ...first }, stops) => ({
        kind,
        repeating,
        ...first,
        ...interpolation,
        stops,
      }));
    default:
      return 'linear-gradient(…), radial-gradient(…), conic-gradient(…) or a repeating one';
  }
}

/** The part before the stops; undefined if it is malformed. */
interface Prelude {
  /** Whether anything was there, after which a comma stands. */
  readonly isPresent: boolean;
  readonly interpolation: Interpolation;
}

function withStops<First extends Prelude>(
  scanner: Scanner,
  prelude: First | string,
  readPlace: (scanner: Scanner) => LengthPercentage | undefined,
  build: (first: Omit<First, 'isPresent'>, stops: readonly Stop[]) => Gradient,
): Gradient | string {
  if (typeof prelude === 'string') return near(scanner, prelude);
  const { isPresent, ...first } = prelude;
  if (isPresent && !scanner.mark(',')) return near(scanner, '"," before the colour stops');
  const stops: Stop[] = [];
  let count = 0;
  let isHintAllowed = false;
  do {
    const place = readPlace(scanner);
    const color = scanner.color();
    if (!color) {
      if (!place) return near(scanner, 'a colour stop such as "#ff8800 25%"');
      if (!isHintAllowed) return near(scanner, 'a colour stop on either side of a hint');
      stops.push({ position: place });
      isHintAllowed = false;
    } else {
      const position = place ?? readPlace(scanner);
      const second = position && readPlace(scanner);
      stops.push({ color, ...(position && { position }) });
      if (second) stops.push({ color, position: second });
      count++;
      isHintAllowed = true;
    }
    if (count > MAX_STOPS) return `at most ${MAX_STOPS} colour stops`;
  } while (scanner.mark(','));
  if (!isHintAllowed) return near(scanner, 'a colour stop on either side of a hint');
  if (!scanner.mark(')')) return near(scanner, '"," or ")" after a colour stop');
  if (!scanner.isDone) return near(scanner, 'nothing after the gradient');
  if (stops.length < 2) return 'at least two colour stops';
  return build(first, stops);
}

/** Adds to what is expected the place where it is missing. */
function near({ source, position }: Scanner, expected: string): string {
  const rest = source.slice(position).trimStart();
  if (rest === '') return `${expected} at its end`;
  return `${expected} at "${rest.length > MAX_SHOWN ? `${rest.slice(0, MAX_SHOWN)}…` : rest}"`;
}

/** Characters that a message shows of the place where something is missing. */
const MAX_SHOWN = 24;

function readLinear(scanner: Scanner) {
  const first = readInterpolation(scanner);
  if (first === null) return INTERPOLATION;
  const angle = readAngle(scanner);
  const side = angle === undefined && scanner.keyword(['to']) ? readSide(scanner) : undefined;
  if (side === null) return 'a side such as "to left" or a corner such as "to top right"';
  const interpolation = first ?? readInterpolation(scanner);
  if (interpolation === null) return INTERPOLATION;
  const isPresent = interpolation !== undefined || angle !== undefined || side !== undefined;
  return { isPresent, direction: angle ?? side ?? 180, interpolation: interpolation ?? SRGB };
}

/** A side or a corner; null where it is none. */
function readSide(scanner: Scanner): { x: -1 | 0 | 1; y: -1 | 0 | 1 } | null {
  let x: -1 | 0 | 1 = 0;
  let y: -1 | 0 | 1 = 0;
  for (let i = 0; i < 2; i++) {
    const word = scanner.keyword(['left', 'right', 'top', 'bottom']);
    if (word === 'left' || word === 'right') {
      if (x !== 0) return null;
      x = word === 'left' ? -1 : 1;
    } else if (word) {
      if (y !== 0) return null;
      y = word === 'top' ? -1 : 1;
    }
  }
  return x === 0 && y === 0 ? null : { x, y };
}

function readRadial(scanner: Scanner) {
  const first = readInterpolation(scanner);
  if (first === null) return INTERPOLATION;
  let shape: 'circle' | 'ellipse' | undefined;
  let extent: RadialExtent | undefined;
  const radii: LengthPercentage[] = [];
  for (;;) {
    if (shape === undefined) {
      shape = scanner.keyword(['circle', 'ellipse']);
      if (shape) continue;
    }
    if (extent === undefined && radii.length === 0) {
      extent = scanner.keyword(EXTENTS);
      if (extent) continue;
      while (radii.length < 2) {
        const radius = readLength(scanner);
        if (!radius) break;
        radii.push(radius);
      }
      if (radii.length > 0) continue;
    }
    break;
  }
  if (radii.some(({ px, percent }) => px < 0 || percent < 0)) return 'radii of at least 0';
  if (radii.length === 1) {
    if (shape === 'ellipse') return 'two radii of an ellipse';
    if (radii[0].percent !== 0) return 'the radius of a circle in px';
    shape = 'circle';
  }
  if (radii.length === 2 && shape === 'circle') return 'one radius of a circle';
  const at = readCenter(scanner);
  if (at === null) return POSITION;
  const interpolation = first ?? readInterpolation(scanner);
  if (interpolation === null) return INTERPOLATION;
  const [x, y = x] = radii;
  const isPresent =
    interpolation !== undefined || shape !== undefined || extent !== undefined || x !== undefined || at !== undefined;
  return {
    isPresent,
    shape: shape ?? 'ellipse',
    size: x ? { x, y } : (extent ?? 'farthest-corner'),
    center: at ?? CENTER,
    interpolation: interpolation ?? SRGB,
  } as const;
}

function readConic(scanner: Scanner) {
  const first = readInterpolation(scanner);
  const from = scanner.keyword(['from']) ? (readAngle(scanner) ?? null) : undefined;
  if (from === null) return 'an angle after "from"';
  const at = readCenter(scanner);
  if (at === null) return POSITION;
  const interpolation = first ?? readInterpolation(scanner);
  if (interpolation === null) return INTERPOLATION;
  const isPresent = interpolation !== undefined || from !== undefined || at !== undefined;
  return { isPresent, from: from ?? 0, center: at ?? CENTER, interpolation: interpolation ?? SRGB };
}

const POSITION = 'a position after "at", such as "center" or "20% 30%"';

/** Reads the position after `at`; null if it is malformed. */
function readCenter(scanner: Scanner): Position | null | undefined {
  return scanner.keyword(['at']) ? (readPosition(scanner) ?? null) : undefined;
}

const INTERPOLATION = `${SPACES.map((space) => `"in ${space}"`).join(', ')}; after oklch and hsl a way such as "longer hue" may follow`;

/** `in oklch longer hue`; null where what follows `in` is malformed. */
function readInterpolation(scanner: Scanner): Interpolation | null | undefined {
  if (!scanner.keyword(['in'])) return undefined;
  const space = scanner.keyword(SPACES);
  if (!space) return null;
  const hue = POLAR.includes(space) ? scanner.keyword(HUES) : undefined;
  if (hue && !scanner.keyword(['hue'])) return null;
  return { space, hue: hue ?? 'shorter' };
}

/** A stop's place in a conic gradient: an angle as a share of the turn, or a percentage. */
function readTurn(scanner: Scanner): LengthPercentage | undefined {
  const angle = readAngle(scanner);
  if (angle !== undefined) return { px: 0, percent: angle / 3.6 };
  return scanner.attempt(() => {
    const found = scanner.dimension();
    return found?.unit === '%' ? { px: 0, percent: found.value } : undefined;
  });
}

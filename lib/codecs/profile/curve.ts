// Curves from samples to light: ICC's two types (ICC.1:2022 sections 10.6 and 10.18) and those that are written here. Powers
// are those of geometry/math.ts, whose results are the same in every engine.
import { pow } from '../../geometry/math.js';
import { type Curve, ProfileError } from './color-space.js';

/** The parameters of the most general curve, by their names in ICC.1:2022 table 68. */
interface Parameters {
  readonly g: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
}

/** (ax + b)^g + e from d on, cx + f below. */
export function parametric({ g, a, b, c, d, e, f }: Parameters): Curve {
  return (x) => (x >= d ? pow(Math.max(0, a * x + b), g) + e : c * x + f);
}

export const gamma = (g: number): Curve => parametric({ g, a: 1, b: 0, c: 0, d: 0, e: 0, f: 0 });

/** The curve of sRGB (IEC 61966-2-1). */
export const SRGB = parametric({ g: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.04045, e: 0, f: 0 });

const HEADER_BYTES = 12;

/** Number of parameters of each function type. */
const PARAMETER_COUNTS = [1, 3, 4, 5, 7];

/** Reads a curve from its tag. Throws ProfileError. */
export function readCurve(tag: Uint8Array): Curve {
  if (tag.length < HEADER_BYTES) throw new ProfileError('one of its curves is truncated');
  const view = new DataView(tag.buffer, tag.byteOffset, tag.byteLength);
  const type = String.fromCharCode(...tag.subarray(0, 4));
  if (type === 'curv') return readTable(view);
  if (type === 'para') return readParametric(view);
  throw new ProfileError('one of its curves has an unknown type');
}

/** No entries mean the identity, one means a power, more are the values at equal distances. */
function readTable(view: DataView): Curve {
  const count = view.getUint32(8);
  if (HEADER_BYTES + 2 * count > view.byteLength) throw new ProfileError('one of its curves is truncated');
  if (count === 0) return (x) => x;
  if (count === 1) return gamma(view.getUint16(HEADER_BYTES) / 256);
  const entry = (index: number) => view.getUint16(HEADER_BYTES + 2 * index) / 65535;
  return (x) => {
    const at = x * (count - 1);
    const index = Math.min(Math.floor(at), count - 2);
    return entry(index) + (entry(index + 1) - entry(index)) * (at - index);
  };
}

function readParametric(view: DataView): Curve {
  const type = view.getUint16(8);
  const count = PARAMETER_COUNTS[type];
  if (count === undefined) throw new ProfileError('one of its curves has an unknown function');
  if (HEADER_BYTES + 4 * count > view.byteLength) throw new ProfileError('one of its curves is truncated');
  const [g, a = 1, b = 0, third = 0, d = 0, e = 0, f = 0] = Array.from(
    { length: count },
    (_, i) => view.getInt32(HEADER_BYTES + 4 * i) / 65536,
  );
  if (type >= 3) return parametric({ g, a, b, c: third, d, e, f });
  // types 0 to 2 begin where the base becomes positive, and are constant below
  return parametric({ g, a, b, c: 0, d: type === 0 ? 0 : -b / a, e: third, f: third });
}

import t, { type Test } from 'tap';
import { acos, atan2, cos, exp, hypot, pow, sin, tan } from '../../lib/geometry/math.js';
import { exactAcos, exactAtan2, exactCos, exactExp, exactHypot, exactPow, exactSin, exactTan, ulps } from './exact.js';

const { NaN: NAN, POSITIVE_INFINITY: INF, MIN_VALUE, MAX_VALUE } = Number;
/** Largest error of results in ulps. Half is the least that rounding allows. */
const LIMIT = 0.85;

/** Numbers from 0 to 1, the same in each run (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let n = Math.imul(state ^ (state >>> 15), state | 1);
    n ^= n + Math.imul(n ^ (n >>> 7), n | 61);
    return ((n ^ (n >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = generator(1);
const many = (count: number, make: (i: number) => number): number[] => Array.from({ length: count }, (_, i) => make(i));
const between = (from: number, to: number): number => from + (to - from) * (random() + random() / 2 ** 32);
const sign = (): number => (random() < 0.5 ? -1 : 1);
/** Any finite double: every exponent is as likely as another. */
function anyDouble(): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, random() * 2 ** 32);
  view.setUint32(4, random() * 2 ** 32);
  const value = view.getFloat64(0);
  return Number.isFinite(value) ? value : 1;
}
/** The next double after a positive one. */
function next(x: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  view.setBigInt64(0, view.getBigInt64(0) + 1n);
  return view.getFloat64(0);
}

function within(t: Test, name: string, reached: readonly (readonly [arguments_: readonly number[], error: number])[]) {
  let worst = reached[0];
  for (const one of reached) if (!(one[1] <= worst[1])) worst = one;
  t.ok(
    worst[1] <= LIMIT,
    `${name}(${worst[0].join(', ')}) is ${worst[1]} ulp off, of ${reached.length} results the most`,
  );
}

/** Equal, where NaN equals NaN and -0 does not equal 0. */
function same(t: Test, found: number, wanted: number, name?: string): void {
  t.ok(Object.is(found, wanted), name ?? `${found} is ${wanted}`);
}

const ANGLES = [
  ...many(600, () => between(-Math.PI / 4, Math.PI / 4)),
  ...many(600, () => between(-2 * Math.PI, 2 * Math.PI)),
  ...many(300, () => between(-(2 ** 20), 2 ** 20)),
  ...many(300, anyDouble),
  // beside multiples of π/2 and π/4
  ...many(100, (i) => (i + 1) * (Math.PI / 2)),
  ...many(100, (i) => (i + 1) * (Math.PI / 4)),
  ...many(100, () => Math.round(between(1, 2 ** 19)) * (Math.PI / 2)),
  // the double that is nearest to a multiple of π/2, relative to its size, and others that are very near to one
  6381956970095103 * 2 ** 797,
  5.319372648326541e255,
  -1.2e22,
  22,
  355,
  710,
  103993,
  208341,
  312689,
  833719,
  1146408,
  // numbers at which the reduction changes
  Math.PI / 4,
  next(Math.PI / 4),
  2 ** 20 - 2 ** -32,
  2 ** 20,
  next(2 ** 20),
  2 ** -27,
  2 ** -28,
  MIN_VALUE,
  2 ** -1022,
  MAX_VALUE,
  -MAX_VALUE,
  1e22,
];

t.test('sine, cosine and tangent', (t) => {
  within(
    t,
    'sin',
    ANGLES.map((x) => [[x], ulps(sin(x), exactSin(x))]),
  );
  within(
    t,
    'cos',
    ANGLES.map((x) => [[x], ulps(cos(x), exactCos(x))]),
  );
  within(
    t,
    'tan',
    ANGLES.map((x) => [[x], ulps(tan(x), exactTan(x))]),
  );
  for (const f of [sin, tan]) {
    same(t, f(0), 0);
    same(t, f(-0), -0);
  }
  same(t, cos(0), 1);
  same(t, cos(-0), 1);
  for (const f of [sin, cos, tan]) for (const x of [NAN, INF, -INF]) same(t, f(x), NAN);
  for (const x of ANGLES) {
    same(t, sin(-x), -sin(x));
    same(t, cos(-x), cos(x));
    same(t, tan(-x), -tan(x));
  }
  t.end();
});

t.test('the angle of a vector', (t) => {
  const vectors = [
    ...many(900, () => between(-1, 1)).map((y) => [y, between(-1, 1)]),
    ...many(300, anyDouble).map((y) => [y, anyDouble()]),
    ...many(300, anyDouble).map((y) => [y, y * between(-4, 4)]),
    // about the angles between which the reduction changes, and on the diagonals
    ...[1, 3, 5, 7, 8].flatMap((k) => [0, 1e-16, -1e-16, 1e-9].map((d) => [k / 8 + d, 1])),
    ...[1, 3, 5, 7, 8].flatMap((k) => [0, 1e-16, -1e-16, 1e-9].map((d) => [1, k / 8 + d])),
    ...[2 ** -27, 2 ** -28, 2 ** -29, 2 ** -60, 1e-300, MIN_VALUE].flatMap((y) => [
      [y, 1],
      [y, -1],
      [1, y],
      [-1, -y],
      [y, 1e-290],
      [y, MAX_VALUE],
    ]),
    [MIN_VALUE, MIN_VALUE],
    [3 * MIN_VALUE, -MIN_VALUE],
    [MAX_VALUE, -MAX_VALUE],
    [MAX_VALUE, MIN_VALUE],
  ] as [number, number][];
  within(
    t,
    'atan2',
    vectors
      .filter(([, x]) => Number.isFinite(x) && x !== 0)
      .map(([y, x]) => [[y, x], ulps(atan2(y, x), exactAtan2(y, x))]),
  );
  const special = [0, -0, 1, -1, INF, -INF, NAN];
  for (const y of special) {
    for (const x of special) {
      const expected = Math.atan2(y, x);
      same(t, atan2(y, x), expected, `atan2(${y}, ${x})`);
    }
  }
  t.end();
});

t.test('the angle whose cosine is given', (t) => {
  const cosines = [
    ...many(900, () => between(-1, 1)),
    ...many(200, () => sign() * (1 - random() * 1e-6)),
    ...many(100, () => sign() * random() * 1e-9),
    ...[1 - 2 ** -53, 1 - 2 ** -52, -1 + 2 ** -53, 0.5, -0.5, 0, MIN_VALUE, Math.SQRT1_2, -1, 2 ** -54, 2 ** -600],
  ];
  within(
    t,
    'acos',
    cosines.map((x) => [[x], ulps(acos(x), exactAcos(x))]),
  );
  same(t, acos(1), 0);
  for (const x of [next(1), -next(1), 2, INF, -INF, NAN]) same(t, acos(x), NAN);
  t.end();
});

t.test('the length of a vector', (t) => {
  const vectors = [
    ...many(900, () => between(-1000, 1000)).map((x) => [x, between(-1000, 1000)]),
    ...many(300, anyDouble).map((x) => [x, x * between(-2, 2)]),
    ...many(200, anyDouble).map((x) => [x / 4, anyDouble() / 4]),
    ...many(200, () => between(1, 2)).map((x) => [x, x * 2 ** -Math.round(between(20, 56))]),
    [3, -4],
    [MIN_VALUE, MIN_VALUE],
    [3 * MIN_VALUE, 4 * MIN_VALUE],
    [2 ** -1022, 2 ** -1022],
    [MAX_VALUE / 2, MAX_VALUE / 2],
    [MAX_VALUE, 1],
    [2 ** 500, 2 ** 500],
    [2 ** 501, 2 ** 448],
    [2 ** -450, 2 ** -450],
    [2 ** -451, 2 ** -400],
  ].filter(([x, y]) => Number.isFinite(hypot(x, y)) && Number.isFinite(x * y === 0 ? 0 : 1)) as [number, number][];
  within(
    t,
    'hypot',
    vectors.map(([x, y]) => [[x, y], ulps(hypot(x, y), exactHypot(x, y))]),
  );
  same(t, hypot(3, 4), 5);
  same(t, hypot(0, -0), 0);
  same(t, hypot(-0, -0), 0);
  same(t, hypot(MAX_VALUE, MAX_VALUE), INF);
  for (const other of [0, 1, INF, NAN]) {
    same(t, hypot(-INF, other), INF);
    same(t, hypot(other, INF), INF);
  }
  same(t, hypot(NAN, 1), NAN);
  same(t, hypot(0, NAN), NAN);
  t.end();
});

t.test('powers of e', (t) => {
  const exponents = [
    ...many(600, () => between(-1, 1)),
    ...many(600, () => between(-708, 709.7)),
    ...many(200, () => between(-745, -708)),
    ...many(200, () => sign() * 2 ** -between(1, 1074)),
    ...many(200, (i) => (i - 100.5) * Math.LN2),
    ...many(200, (i) => (i - 100) * Math.LN2),
    ...[0, -0, 709.782712893384, -745.1332191019411, -708.3964185322641, 1, -1],
  ];
  within(
    t,
    'exp',
    exponents.map((x) => [[x], ulps(exp(x), exactExp(x))]),
  );
  same(t, exp(0), 1);
  same(t, exp(-0), 1);
  same(t, exp(709.7827128933841), INF);
  same(t, exp(-745.1332191019412), 0);
  same(t, exp(INF), INF);
  same(t, exp(-INF), 0);
  same(t, exp(NAN), NAN);
  t.end();
});

t.test('powers', (t) => {
  const powers = (
    [
      ...many(900, random).map((x) => [x, between(0, 3)]),
      ...many(300, () => Math.abs(anyDouble())).map((x) => [x, between(-3, 3)]),
      ...many(300, () => between(0.5, 2)).map((x) => [x, between(-900, 900)]),
      // near 1
      ...many(200, () => 1 + sign() * 2 ** -between(2, 53)).map((x) => [x, between(-700, 700) / Math.abs(Math.log(x))]),
      // subnormal bases and results
      ...many(100, () => random() * 2 ** -1022).map((x) => [x, between(-0.9, 1)]),
      ...many(100, () => between(1, 3)).map((x) => [x, between(-745, -708) / Math.log(x)]),
      // numbers at which the base of the logarithm changes
      ...[1.2247449, 1.7320508, Math.SQRT2, 1.5].flatMap((x) => [
        [x, 2.4],
        [next(x), -700],
        [x * 2 ** -300, 0.7],
      ]),
      ...[2.4, 1 / 3, 0.25, 1.1875, 1e-300, MIN_VALUE, 1e15].flatMap((y) => [
        [10, y],
        [0.5, y],
        [next(1), y],
        [MIN_VALUE, y],
        [MAX_VALUE, y],
      ]),
    ] as [number, number][]
  ).filter(([x, y]) => Number.isFinite(pow(x, y)) && x > 0 && pow(x, y) !== 0);
  t.ok(powers.length > 1500);
  within(
    t,
    'pow',
    powers.map(([x, y]) => [[x, y], ulps(pow(x, y), exactPow(x, y))]),
  );
  for (let n = -1074; n < 1024; n++) if (pow(2, n) !== 2 ** n) t.fail(`2 to the power ${n} is exact`);
  for (let n = 0; n <= 22; n++) same(t, pow(10, n), Number(`1e${n}`));
  const special = [
    0,
    -0,
    0.5,
    -0.5,
    1,
    -1,
    1.5,
    2,
    -2,
    3,
    -3,
    2 ** 53 - 1,
    -(2 ** 53) + 1,
    2 ** 53,
    1e300,
    INF,
    -INF,
    NAN,
  ];
  for (const x of special) {
    for (const y of special) {
      const expected = x ** y;
      if (Number.isNaN(expected) || expected === 0 || Math.abs(expected) === 1 || Math.abs(expected) === INF) {
        same(t, pow(x, y), expected, `pow(${x}, ${y})`);
      } else same(t, pow(x, y), Math.sign(expected) * pow(Math.abs(x), y), `pow(${x}, ${y})`);
    }
  }
  t.end();
});

// Random values, in CSS syntax, of the fields that go beyond a layer's basic ones.
import { BLEND_MODES } from '../../lib/raster/blend-mode.js';
import type { Random } from './random.js';

/** The material that values are made of. */
export interface Palette {
  readonly random: Random;
  color(): string;
  between(low: number, high: number): number;
  /** data: URLs of pictures. */
  readonly pictures: readonly string[];
}

const HUES = ['', ' shorter hue', ' longer hue', ' increasing hue', ' decreasing hue'];

function list<Item>({ random }: Palette, max: number, item: () => Item): Item[] {
  return Array.from({ length: 1 + random.below(max) }, item);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

export function gradient(palette: Palette): string {
  const { random, between } = palette;
  const kind = random.pick(['linear', 'radial', 'conic']);
  const at = random.oneIn(2)
    ? ` at ${random.pick(['center', 'left top', `${round(between(-20, 120))}% ${round(between(0, 90))}px`, 'right 10px bottom 20%'])}`
    : '';
  const geometry =
    kind === 'linear'
      ? random.pick(['', 'to top left', `${round(between(-400, 400))}deg`, '0.3turn', '-1rad', '70grad'])
      : kind === 'radial'
        ? `${random.pick(['', 'circle', 'closest-side', 'circle farthest-side', 'ellipse closest-corner', '30px', '40px 20%'])}${at}`
        : `${random.pick(['', `from ${round(between(-400, 400))}deg`])}${at}`;
  const polar = random.pick(['oklch', 'hsl']) + random.pick(HUES);
  const space = random.oneIn(2) ? ` in ${random.pick(['srgb-linear', 'oklab', polar])}` : '';
  const position = () => {
    if (kind === 'conic') return `${round(between(-30, 400))}${random.pick(['deg', '%'])}`;
    return `${round(between(-50, 150))}${random.pick(['%', '%', 'px'])}`;
  };
  const stop = () =>
    palette.color() + random.pick(['', '', ` ${position()}`, ` ${position()}`, ` ${position()} ${position()}`]);
  const stops = [stop(), ...list(palette, 3, stop)];
  if (random.oneIn(5)) stops.splice(1, 0, position());
  const prelude = `${geometry}${space}`.trim();
  return `${random.oneIn(4) ? 'repeating-' : ''}${kind}-gradient(${prelude === '' ? '' : `${prelude}, `}${stops.join(', ')})`;
}

export function filters(palette: Palette): string {
  const { random, between } = palette;
  const amount = (max: number) => (random.oneIn(2) ? `${round(between(0, max))}` : `${round(between(0, max * 100))}%`);
  const one = () => {
    const name = random.pick([
      'blur',
      'drop-shadow',
      'hue-rotate',
      'opacity',
      'grayscale',
      'sepia',
      'invert',
      'others',
    ]);
    if (name === 'blur') return `blur(${round(between(0, random.pick([3, 20])))}px)`;
    if (name === 'hue-rotate') return `hue-rotate(${round(between(-400, 400))}deg)`;
    if (name === 'drop-shadow') {
      return `drop-shadow(${round(between(-9, 9))}px ${round(between(-9, 9))}px ${round(between(0, 6))}px ${palette.color()})`;
    }
    if (name === 'others') return `${random.pick(['brightness', 'contrast', 'saturate'])}(${amount(3)})`;
    return `${name}(${amount(1)})`;
  };
  return list(palette, 3, one).join(' ');
}

export function clipPath(palette: Palette): string {
  const { random, between } = palette;
  const length = () => `${round(between(0, 60))}${random.pick(['%', 'px'])}`;
  return random.pick([
    () => `inset(${list(palette, 4, length).join(' ')}${random.oneIn(2) ? ` round ${length()} ${length()}` : ''})`,
    () => `circle(${random.pick(['', length(), 'farthest-side'])}${random.pick(['', ` at ${length()} ${length()}`])})`,
    () => `ellipse(${random.pick(['', `${length()} ${length()}`])}${random.pick(['', ' at left 20%'])})`,
    () =>
      `polygon(${random.pick(['', 'evenodd, '])}${[0, 0, 0, ...list(palette, 9, () => 0)].map(() => `${length()} ${length()}`).join(', ')})`,
    () => `path('${pathData(palette)}')`,
  ])();
}

export function pathData(palette: Palette): string {
  const { random } = palette;
  const at = () => round(palette.between(-20, 140));
  const command = () =>
    random.pick([
      () => `L${at()} ${at()}`,
      () => `h${at()}`,
      () => `v${-at()}`,
      () => `C${at()} ${at()} ${at()} ${at()} ${at()} ${at()}`,
      () => `s${at()} ${at()} ${at()} ${at()}`,
      () => `Q${at()} ${at()} ${at()} ${at()}`,
      () => `t${at()} ${at()}`,
      () => `A${at()} ${at()} ${at()} ${random.below(2)} ${random.below(2)} ${at()} ${at()}`,
      () => `z m${at()} ${at()}`,
    ])();
  return `M${at()} ${at()} ${list(palette, 8, command).join(' ')}${random.pick(['', ' Z'])}`;
}

/** The fields of `border` besides colour and width. */
export function dashes(palette: Palette): Record<string, unknown> {
  const { random, between } = palette;
  return {
    dash: list(palette, 4, () => between(random.oneIn(4) ? 0 : 2, 24)),
    ...(random.oneIn(2) && { dashOffset: between(-40, 40) }),
    ...(random.oneIn(2) && { cap: random.pick(['round', 'square']) }),
  };
}

/** Effects that every layer may have. */
export function effects(palette: Palette): Record<string, unknown> {
  const { random } = palette;
  return {
    ...(random.oneIn(5) && { blendMode: random.pick(BLEND_MODES) }),
    ...(random.oneIn(5) && { filter: filters(palette) }),
    ...(random.oneIn(8) && { backdropFilter: filters(palette) }),
    ...(random.oneIn(8) && {
      maskImage: random.oneIn(3)
        ? { url: random.pick(palette.pictures), fit: random.pick(['cover', 'contain', 'fill']) }
        : gradient(palette),
    }),
    ...(random.oneIn(7) && { clipPath: clipPath(palette) }),
    ...(random.oneIn(6) && { flip: random.pick(['x', 'y', 'both']) }),
    ...(random.oneIn(30) && { visible: false }),
  };
}

/** The fields of a shape's type. */
export function shapeFields(palette: Palette): Record<string, unknown> {
  const { random, between } = palette;
  const point = () => [between(-10, 120), between(-10, 120)];
  return random.pick([
    () => ({ shapeType: 'polygon', points: [point(), point(), ...list(palette, 8, point)] }),
    () => ({ shapeType: 'star', points: 3 + random.below(20), innerRadius: between(0, 1) }),
    () => ({
      shapeType: 'path',
      d: pathData(palette),
      ...(random.oneIn(2) && {
        viewBox: [between(-10, 10), between(-10, 10), between(20, 200), between(20, 200)],
        preserveAspectRatio: random.pick(['meet', 'slice', 'none']),
      }),
      ...(random.oneIn(3) && { fillRule: 'evenodd' }),
    }),
    () => ({
      shapeType: 'arc',
      startAngle: between(-360, 360),
      endAngle: between(-360, 720),
      ...(random.oneIn(2) && { innerRadius: between(0, 1) }),
    }),
    () => ({
      shapeType: 'line',
      startCap: random.pick(['none', 'arrow', 'round']),
      endCap: random.pick(['none', 'arrow', 'round']),
    }),
  ])();
}

/** The fields of an image that place it in its box. */
export function placement(palette: Palette): Record<string, unknown> {
  const { random, between } = palette;
  return {
    ...(random.oneIn(2) && {
      position: random.pick(['top', 'smart', '20% 80%', 'right 10px bottom', 'center left 5px', '-30px 120%']),
    }),
    ...(random.oneIn(4) && {
      crop: { x: between(0, 3), y: between(0, 3), width: between(1, 30), height: between(1, 30) },
    }),
    ...(random.oneIn(6) && {
      repeat: 'tile',
      ...(random.oneIn(2) && { tileWidth: between(1, 40) }),
      ...(random.oneIn(2) && { tileHeight: between(1, 40) }),
    }),
  };
}

/** Returns one to four radii. */
export function radii(palette: Palette): number | number[] {
  const radius = () => palette.between(0, 90);
  return palette.random.oneIn(2) ? radius() : list(palette, 4, radius);
}

const FEATURES = ['tnum', 'frac', 'liga', 'smcp', 'aalt', 'case'];
const SHIFTS = ['super', 'sub', -9, 0.5, 30, 'middle', 'top', 'bottom', 'text-top', 'text-bottom'];

/** Names of lines, or an object with their style. */
export function textDecoration(palette: Palette): unknown {
  const { random, between } = palette;
  const line = random.pick(['none', 'underline', 'line-through', 'underline line-through']);
  if (random.oneIn(3)) return line;
  return {
    line,
    ...(random.oneIn(2) && { color: random.oneIn(3) ? gradient(palette) : palette.color() }),
    ...(random.oneIn(2) && { thickness: round(between(0, random.pick([3, 12]))) }),
    ...(random.oneIn(2) && { style: random.pick(['double', 'dotted', 'dashed', 'wavy']) }),
    ...(random.oneIn(3) && { position: random.pick(['auto', 'from-font']), offset: random.below(6) }),
    ...(random.oneIn(3) && { skipInk: 'auto' }),
  };
}

/** The style of a span, or of what a marker of markup encloses. */
export function spanStyle(palette: Palette, families: readonly string[]): Record<string, unknown> {
  const { random, between } = palette;
  return {
    ...(random.oneIn(3) && { color: random.oneIn(3) ? gradient(palette) : palette.color() }),
    ...(random.oneIn(4) && { backgroundColor: random.oneIn(3) ? gradient(palette) : palette.color() }),
    ...(families.length > 0 && random.oneIn(4) && { fontFamily: random.pick(families) }),
    ...(random.oneIn(3) && { fontSize: round(between(0, 50)) }),
    ...(random.oneIn(4) && { fontWeight: random.pick(['bold', 300, '900']) }),
    ...(random.oneIn(5) && { fontStyle: random.pick(['italic', 'normal']) }),
    ...(random.oneIn(5) && { letterSpacing: round(between(-4, 12)) }),
    ...(random.oneIn(6) && { textTransform: random.pick(['uppercase', 'capitalize', 'none']) }),
    ...(random.oneIn(4) && { textDecoration: textDecoration(palette) }),
    ...(random.oneIn(6) && { stroke: { color: palette.color(), width: round(between(0, 6)) } }),
    ...(random.oneIn(5) && { baselineShift: random.pick(SHIFTS) }),
    ...(random.oneIn(5) && { padding: round(between(0, 12)), borderRadius: round(between(0, 12)) }),
    ...(random.oneIn(8) && { margin: [0, round(between(-8, 12))] }),
    ...(random.oneIn(8) && { border: { color: palette.color(), width: round(between(0, 5)) } }),
  };
}

/** Cuts the text into up to five pieces, each in another style. */
export function spans(palette: Palette, text: string, families: readonly string[]): Record<string, unknown>[] {
  const cuts = list(palette, 4, () => palette.random.below(text.length + 1)).sort((a, b) => a - b);
  return [0, ...cuts].map((start, i) => ({
    text: text.slice(start, cuts[i]),
    ...spanStyle(palette, families),
    ...(palette.random.oneIn(4) && { continues: palette.random.below(3) }),
  }));
}

/** The text with markers of markup at random, and the styles of some. */
export function markup(palette: Palette, text: string, families: readonly string[]): Record<string, unknown> {
  const { random } = palette;
  const marked = text.replace(/\S+/gu, (word) => {
    const marker = random.pick(['', '', '**', '_', '~~', '==', '\\*', '***']);
    return marker + word + (random.oneIn(8) ? '' : marker);
  });
  const styled = ['strong', 'em', 'del', 'mark'].filter(() => random.oneIn(3));
  const markupStyles = Object.fromEntries(styled.map((name) => [name, spanStyle(palette, families)]));
  return { text: marked, markup: true, ...(styled.length > 0 && { markupStyles }) };
}

/** The fields of a text that set its letters and lines apart from a plain one's. */
export function typesetting(palette: Palette): Record<string, unknown> {
  const { random, between } = palette;
  return {
    ...(random.oneIn(2) && { textAlign: random.pick(['left', 'center', 'right', 'start', 'end', 'justify']) }),
    ...(random.oneIn(6) && { fontFeatures: { [random.pick(FEATURES)]: random.below(3) } }),
    ...(random.oneIn(8) && { fontVariations: { wght: random.below(1000) } }),
    ...(random.oneIn(6) && { direction: random.pick(['ltr', 'rtl']) }),
    ...(random.oneIn(6) && { textWrap: 'balance' }),
    ...(random.oneIn(6) && { wordBreak: random.pick(['normal', 'keep-all']) }),
    ...(random.oneIn(6) && { hangingIndent: between(0, 60) }),
    ...(random.oneIn(3) && { lineHeight: random.oneIn(4) ? `${random.below(60)}px` : between(0, 3) }),
    ...(random.oneIn(6) && { maxFontSize: between(10, 90) }),
    ...(random.oneIn(3) && { textDecoration: textDecoration(palette) }),
    ...(random.oneIn(4) && { backgroundFit: random.pick(['text', 'line']) }),
    ...(random.oneIn(10) && { textPath: pathData(palette) }),
  };
}

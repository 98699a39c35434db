// Style objects as declarations of longhands: shorthands are opened, numbers are pixels, other names are replaced.
import { isGradientText } from '../../contract/css/gradient.js';
import { parseColor } from '../../contract/css/parse-color.js';
import { ALIASES } from './properties.js';
import { functionOf, splitTop } from './tokens.js';

/** A longhand with its value in lower-case words; `inherit`, `initial` and `unset` too. */
export type Declaration = readonly [property: string, value: string];

/** Numbers of these are no pixels (React's list, as far as properties are supported). */
const UNITLESS = new Set(
  (
    'aspectRatio flex flexGrow flexShrink fontWeight lineClamp WebkitLineClamp lineHeight opacity order orphans scale tabSize ' +
    'widows zIndex zoom columnCount gridRow gridRowStart gridRowEnd gridColumn gridColumnStart gridColumnEnd gridArea'
  ).split(' '),
);

/** The value of a style object as CSS text; undefined for what React ignores too. */
export function valueText(property: string, value: unknown): string | undefined {
  if (value === null || value === undefined || typeof value === 'boolean' || value === '') return undefined;
  if (typeof value === 'number') return value === 0 || UNITLESS.has(property) ? String(value) : `${value}px`;
  const text = String(value)
    .trim()
    .replace(/\s*!important$/i, '');
  return text === '' ? undefined : text;
}

/** `background-color` and `-webkit-line-clamp` as style objects write them. */
export function camelCase(name: string): string {
  if (name.startsWith('--')) return name;
  return name.replace(/-([a-z])/gi, (_, letter: string) => letter.toUpperCase());
}

/** The declarations of a style object, in its order. `reject` receives shorthands that can't be read. */
export function declarationsOf(
  style: Readonly<Record<string, unknown>>,
  reject: (property: string, value: string) => void,
): Declaration[] {
  return Object.entries(style).flatMap(([name, value]) => {
    const property = camelCase(name);
    const text = valueText(property, value);
    if (text === undefined) return [];
    return openShorthand(property, text, reject);
  });
}

const WIDE = ['inherit', 'initial', 'unset', 'revert'];

/** Returns the longhands of one declaration. */
export function openShorthand(
  name: string,
  value: string,
  reject: (property: string, value: string) => void,
): Declaration[] {
  const property = ALIASES.get(name) ?? name;
  const shorthand = SHORTHANDS.get(property);
  if (!shorthand) return [[property, value]];
  if (WIDE.includes(value.toLowerCase())) return shorthand.longhands.map((longhand) => [longhand, value.toLowerCase()]);
  const opened = shorthand.open(value);
  if (opened) return opened;
  reject(property, value);
  return [];
}

interface Shorthand {
  readonly longhands: readonly string[];
  open(value: string): Declaration[] | undefined;
}

const SIDES = ['Top', 'Right', 'Bottom', 'Left'] as const;
const CORNERS = ['TopLeft', 'TopRight', 'BottomRight', 'BottomLeft'] as const;

/** One to four values for sides or corners. */
function four(longhands: readonly string[]): Shorthand {
  return {
    longhands,
    open(value) {
      const parts = splitTop(value, ' ');
      if (parts.length < 1 || parts.length > 4) return undefined;
      const [first, second = first, third = first, fourth = second] = parts;
      return [first, second, third, fourth].map((part, i) => [longhands[i], part]);
    },
  };
}

/** One or two values, the second as the first where it is left out. */
function two(longhands: readonly [string, string]): Shorthand {
  return {
    longhands,
    open(value) {
      const parts = splitTop(value, ' ');
      if (parts.length > 2) return undefined;
      return longhands.map((longhand, i) => [longhand, parts[i] ?? parts[0]]);
    },
  };
}

const LINE_STYLES = ['none', 'hidden', 'solid', 'dashed', 'dotted', 'double', 'groove', 'ridge', 'inset', 'outset'];

function isLength(word: string): boolean {
  return /^[+-]?(?:\d|\.\d)/.test(word) || /^(?:calc|min|max|clamp)\(/i.test(word);
}

/** Width, style and colour in any order. */
function line(
  prefixes: readonly string[],
  isWidth = (word: string) => isLength(word) || /^(?:thin|medium|thick)$/.test(word),
): Shorthand {
  const longhands = prefixes.flatMap((prefix) => ['Width', 'Style', 'Color'].map((part) => prefix + part));
  return {
    longhands,
    open(value) {
      let width = 'medium';
      let style = 'none';
      let color = 'currentcolor';
      for (const word of splitTop(value, ' ')) {
        const lower = word.toLowerCase();
        if (LINE_STYLES.includes(lower)) style = lower;
        else if (isWidth(lower)) width = lower;
        else if (lower === 'currentcolor' || parseColor(word)) color = word;
        else return undefined;
      }
      return prefixes.flatMap((prefix): Declaration[] => [
        [`${prefix}Width`, width],
        [`${prefix}Style`, style],
        [`${prefix}Color`, color],
      ]);
    },
  };
}

const FLEX: Shorthand = {
  longhands: ['flexGrow', 'flexShrink', 'flexBasis'],
  open(value) {
    const whole: Record<string, readonly string[]> = { none: ['0', '0', 'auto'], auto: ['1', '1', 'auto'] };
    const parts = splitTop(value, ' ');
    const numbers = parts.filter((part) => /^\d*\.?\d+$/.test(part));
    const basis = parts.find((part) => !numbers.includes(part));
    if (
      !whole[value] &&
      (numbers.length > 2 || parts.length > 3 || (basis !== undefined && numbers.length + 1 < parts.length))
    ) {
      // 1 1 0: the third number is the basis
      if (numbers.length === 3 && Number(numbers[2]) === 0)
        return this.longhands.map((longhand, i) => [longhand, numbers[i]]);
      return undefined;
    }
    const [grow, shrink, size] = whole[value] ?? [numbers[0] ?? '1', numbers[1] ?? '1', basis ?? '0%'];
    return [
      ['flexGrow', grow],
      ['flexShrink', shrink],
      ['flexBasis', size],
    ];
  },
};

const FLEX_FLOW: Shorthand = {
  longhands: ['flexDirection', 'flexWrap'],
  open(value) {
    return splitTop(value, ' ').map((word) => [/wrap/.test(word) ? 'flexWrap' : 'flexDirection', word]);
  },
};

const BORDER_RADIUS: Shorthand = {
  longhands: CORNERS.map((corner) => `border${corner}Radius`),
  open(value) {
    const axes = splitTop(value, '/');
    if (axes.length > 2) return undefined;
    const completed = axes.map((axis) => four(this.longhands).open(axis));
    const [across, down] = completed;
    if (!across || (axes.length === 2 && !down)) return undefined;
    return across.map(([longhand, radius], i) => [longhand, down ? `${radius} ${down[i][1]}` : radius]);
  },
};

const BACKGROUND_LONGHANDS = [
  'backgroundColor',
  'backgroundImage',
  'backgroundPosition',
  'backgroundSize',
  'backgroundRepeat',
  'backgroundOrigin',
  'backgroundClip',
];
const BOXES = ['border-box', 'padding-box', 'content-box', 'text'];
const REPEATS = ['repeat', 'no-repeat', 'repeat-x', 'repeat-y', 'space', 'round'];

const BACKGROUND: Shorthand = {
  longhands: BACKGROUND_LONGHANDS,
  open(value) {
    const layers = splitTop(value, ',').map(backgroundLayer);
    if (layers.some((layer) => layer === undefined)) return undefined;
    const known = layers as BackgroundLayer[];
    const list = (field: keyof BackgroundLayer, initial: string) =>
      known.map((layer) => layer[field] ?? initial).join(', ');
    return [
      ['backgroundColor', known.at(-1)!.color ?? 'transparent'],
      ['backgroundImage', list('image', 'none')],
      ['backgroundPosition', list('position', '0% 0%')],
      ['backgroundSize', list('size', 'auto')],
      ['backgroundRepeat', list('repeat', 'repeat')],
      ['backgroundOrigin', list('origin', 'padding-box')],
      ['backgroundClip', list('clip', 'border-box')],
    ];
  },
};

interface BackgroundLayer {
  color?: string;
  image?: string;
  position?: string;
  size?: string;
  repeat?: string;
  origin?: string;
  clip?: string;
}

function backgroundLayer(value: string): BackgroundLayer | undefined {
  const layer: BackgroundLayer = {};
  const [before, after] = splitTop(value, '/');
  const positions: string[] = [];
  const words = splitTop(before, ' ');
  const rest = after === undefined ? [] : splitTop(after, ' ');
  const sizes: string[] = [];
  while (rest.length > 0 && (isLength(rest[0]) || /^(?:auto|cover|contain)$/.test(rest[0]))) sizes.push(rest.shift()!);
  if (sizes.length > 0) layer.size = sizes.join(' ');
  for (const word of [...words, ...rest]) {
    const lower = word.toLowerCase();
    if (isImage(word)) layer.image = word;
    else if (REPEATS.includes(lower)) layer.repeat = layer.repeat === undefined ? lower : `${layer.repeat} ${lower}`;
    else if (BOXES.includes(lower)) {
      if (layer.origin === undefined && lower !== 'text') layer.origin = lower;
      layer.clip = lower;
    } else if (isLength(word) || /^(?:left|right|top|bottom|center)$/.test(lower)) positions.push(lower);
    else if (['scroll', 'fixed', 'local', 'none'].includes(lower)) continue;
    else if (lower === 'currentcolor' || parseColor(word)) layer.color = word;
    else return undefined;
  }
  if (positions.length > 0) layer.position = positions.join(' ');
  return layer;
}

function isImage(word: string): boolean {
  return isGradientText(word) || functionOf(word)?.name === 'url';
}

const FONT_SIZE = /^(?:(?:x{1,3}-|x-)?(?:small|large)|medium|smaller|larger)$/i;

const FONT: Shorthand = {
  longhands: ['fontStyle', 'fontWeight', 'fontSize', 'lineHeight', 'fontFamily'],
  open(value) {
    const [before, after] = splitTop(value, '/');
    const words = splitTop(before, ' ');
    const at = words.findIndex((word) => (isLength(word) ? !/^\d+$/.test(word) : FONT_SIZE.test(word)));
    if (at < 0) return undefined;
    const size = words[at];
    // the height of lines stands after a slash, the families after both
    const rest = after === undefined ? words.slice(at + 1) : splitTop(after, ' ');
    const height = after === undefined ? 'normal' : (rest.shift() ?? '');
    const family = rest.join(' ');
    if (family === '' || height === '' || (after !== undefined && at !== words.length - 1)) return undefined;
    let style = 'normal';
    let weight = '400';
    for (const word of words.slice(0, at).map((each) => each.toLowerCase())) {
      if (word === 'italic' || word === 'oblique') style = word;
      else if (/^(?:\d+|bold|bolder|lighter)$/.test(word)) weight = word;
      else if (word !== 'normal') return undefined;
    }
    return [
      ['fontStyle', style],
      ['fontWeight', weight],
      ['fontSize', size],
      ['lineHeight', height],
      ['fontFamily', family],
    ];
  },
};

/** `1 / span 2`: a start and an end; a name that stands alone is both. */
function gridLine(prefix: string): Shorthand {
  return {
    longhands: [`${prefix}Start`, `${prefix}End`],
    open(value) {
      const [start, end = lineAfter(start), ...rest] = splitTop(value, '/');
      if (rest.length > 0) return undefined;
      return [
        [`${prefix}Start`, start],
        [`${prefix}End`, end],
      ];
    },
  };
}

function lineAfter(start: string): string {
  return /^[a-z_][\w-]*$/i.test(start) && !/^(?:auto|span)$/i.test(start) ? start : 'auto';
}

const GRID_AREA: Shorthand = {
  longhands: ['gridRowStart', 'gridColumnStart', 'gridRowEnd', 'gridColumnEnd'],
  open(value) {
    const parts = splitTop(value, '/');
    if (parts.length > 4) return undefined;
    const [top, left = lineAfter(top), bottom = lineAfter(top), right = lineAfter(left)] = parts;
    return [top, left, bottom, right].map((part, i) => [this.longhands[i], part]);
  },
};

const GRID_TEMPLATE: Shorthand = {
  longhands: ['gridTemplateRows', 'gridTemplateColumns', 'gridTemplateAreas'],
  open(value) {
    if (value === 'none') return this.longhands.map((longhand) => [longhand, 'none']);
    const [rows, columns = 'none'] = splitTop(value, '/');
    const areas = rows.match(/"[^"]*"|'[^']*'/g);
    if (!areas && columns === 'none') return undefined;
    // each row of areas has the size after it, else auto
    const sizes = areas
      ? rows.replace(/("[^"]*"|'[^']*')(\s*(?=$|["'[]))?/g, (_, __, end) => (end === undefined ? '' : ' auto '))
      : rows;
    return [
      ['gridTemplateRows', sizes.trim().replace(/\s+/g, ' ')],
      ['gridTemplateColumns', columns],
      ['gridTemplateAreas', areas ? areas.join(' ') : 'none'],
    ];
  },
};

const TEXT_DECORATION: Shorthand = {
  longhands: ['textDecorationLine', 'textDecorationStyle', 'textDecorationColor', 'textDecorationThickness'],
  open(value) {
    const lines: string[] = [];
    let style = 'solid';
    let color = 'currentcolor';
    let thickness = 'auto';
    for (const word of splitTop(value, ' ')) {
      const lower = word.toLowerCase();
      if (['none', 'underline', 'line-through', 'overline', 'blink'].includes(lower)) lines.push(lower);
      else if (['solid', 'double', 'dotted', 'dashed', 'wavy'].includes(lower)) style = lower;
      else if (isLength(lower) || lower === 'auto' || lower === 'from-font') thickness = lower;
      else if (lower === 'currentcolor' || parseColor(word)) color = word;
      else return undefined;
    }
    return [
      ['textDecorationLine', lines.join(' ') || 'none'],
      ['textDecorationStyle', style],
      ['textDecorationColor', color],
      ['textDecorationThickness', thickness],
    ];
  },
};

const TEXT_STROKE: Shorthand = {
  longhands: ['WebkitTextStrokeWidth', 'WebkitTextStrokeColor'],
  open(value) {
    const words = splitTop(value, ' ');
    const width = words.find((word) => isLength(word) || /^(?:thin|medium|thick)$/.test(word));
    const color = words.find((word) => word !== width);
    return [
      ['WebkitTextStrokeWidth', width ?? '0'],
      ['WebkitTextStrokeColor', color ?? 'currentcolor'],
    ];
  },
};

const LIST_STYLE: Shorthand = {
  longhands: ['listStyleType', 'listStylePosition', 'listStyleImage'],
  open(value) {
    let type = 'disc';
    let position = 'outside';
    let image = 'none';
    for (const word of splitTop(value, ' ')) {
      const lower = word.toLowerCase();
      if (lower === 'inside' || lower === 'outside') position = lower;
      else if (functionOf(word)) image = word;
      else type = word;
    }
    return [
      ['listStyleType', type],
      ['listStylePosition', position],
      ['listStyleImage', image],
    ];
  },
};

const sided = (before: string, after = '') => SIDES.map((side) => before + side + after);
const insets = ['top', 'right', 'bottom', 'left'];

const SHORTHANDS: ReadonlyMap<string, Shorthand> = new Map<string, Shorthand>([
  ['margin', four(sided('margin'))],
  ['padding', four(sided('padding'))],
  ['inset', four(insets)],
  ['marginInline', two(['marginLeft', 'marginRight'])],
  ['marginBlock', two(['marginTop', 'marginBottom'])],
  ['paddingInline', two(['paddingLeft', 'paddingRight'])],
  ['paddingBlock', two(['paddingTop', 'paddingBottom'])],
  ['insetInline', two(['left', 'right'])],
  ['insetBlock', two(['top', 'bottom'])],
  ['borderWidth', four(sided('border', 'Width'))],
  ['borderStyle', four(sided('border', 'Style'))],
  ['borderColor', four(sided('border', 'Color'))],
  ['border', line(sided('border'))],
  ...SIDES.map((side): [string, Shorthand] => [`border${side}`, line([`border${side}`])]),
  ['borderBlock', line(['borderTop', 'borderBottom'])],
  ['borderInline', line(['borderLeft', 'borderRight'])],
  ['borderRadius', BORDER_RADIUS],
  ['outline', line(['outline'])],
  ['overflow', two(['overflowX', 'overflowY'])],
  ['gap', two(['rowGap', 'columnGap'])],
  ['gridGap', two(['rowGap', 'columnGap'])],
  ['gridColumn', gridLine('gridColumn')],
  ['gridRow', gridLine('gridRow')],
  ['gridArea', GRID_AREA],
  ['gridTemplate', GRID_TEMPLATE],
  ['grid', GRID_TEMPLATE],
  ['placeItems', two(['alignItems', 'justifyItems'])],
  ['placeContent', two(['alignContent', 'justifyContent'])],
  ['placeSelf', two(['alignSelf', 'justifySelf'])],
  ['flex', FLEX],
  ['flexFlow', FLEX_FLOW],
  ['background', BACKGROUND],
  ['font', FONT],
  ['listStyle', LIST_STYLE],
  ['textDecoration', TEXT_DECORATION],
  ['WebkitTextStroke', TEXT_STROKE],
]);

export const SHORTHAND_NAMES: readonly string[] = [...SHORTHANDS.keys()];

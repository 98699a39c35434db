// Sets of icons in the format of Iconify: JSON with a body of SVG for each name.

import { formatReceived } from '../contract/json/describe.js';
import { isObject } from '../contract/json/is-object.js';
import { type Affine, compose, IDENTITY, rotationAbout, translation } from '../geometry/affine.js';
import { IconError } from './error.js';
import { type IconPart, partsOf } from './parts.js';

/** An icon as paths. */
export interface Icon {
  /** x, y, width and height. */
  readonly viewBox: readonly [number, number, number, number];
  readonly parts: readonly IconPart[];
}

/** Maximum icons of a set. */
const MAX_ICONS = 50_000;
/** Maximum width and height of an icon, in its own units. */
const MAX_SIZE = 1e5;
const MAX_ALIASES = 8;
/** Iconify's size of icons that say none. */
const STANDARD_SIZE = 16;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_NAME_LENGTH = 100;

type Json = Readonly<Record<string, unknown>>;

/** An icon without its parts. */
interface RawIcon {
  readonly body: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Quarter turns, clockwise. */
  readonly rotate: number;
  readonly hFlip: boolean;
  readonly vFlip: boolean;
}

export const isIconName = (name: string) => name.length <= MAX_NAME_LENGTH && NAME.test(name);

export class IconSet {
  readonly #icons = new Map<string, Icon>();

  private constructor(
    /** What stands before the colon in a name. */
    readonly prefix: string,
    private readonly json: Json,
    private readonly around: readonly [string, string],
  ) {}

  /** The set of Iconify's JSON, all of whose icons can be drawn. Throws IconError, which names the set and the icon. */
  static read(json: unknown): IconSet {
    if (!isObject(json)) throw new IconError(`received ${formatReceived(json)}, expected an Iconify set: an object`);
    const { prefix, icons, aliases } = json;
    if (typeof prefix !== 'string' || !isIconName(prefix)) {
      throw new IconError(`prefix: received ${formatReceived(prefix)}, expected a name such as "lucide"`);
    }
    if (!isObject(icons))
      throw new IconError(`${prefix}: icons: received ${formatReceived(icons)}, expected an object`);
    const names = [...Object.keys(icons), ...(isObject(aliases) ? Object.keys(aliases) : [])];
    if (names.length > MAX_ICONS)
      throw new IconError(`${prefix}: has ${names.length} icons, expected at most ${MAX_ICONS}`);
    const set = new IconSet(prefix, json, ['', '']);
    for (const name of names) {
      if (!isIconName(name)) {
        throw new IconError(`${prefix}: received the name ${formatReceived(name)}, expected one such as "arrow-up"`);
      }
      try {
        set.#draw(name);
      } catch (error) {
        if (error instanceof IconError) throw new IconError(`${prefix}:${name}: ${error.message}`);
        throw error;
      }
    }
    return set;
  }

  /** A set of the package, whose icons are known to be good: `around` stands around bodies that are text alone. */
  static ofPackage(json: Json): IconSet {
    return new IconSet(String(json.prefix), json, json.around as [string, string]);
  }

  /** The names, without those of before. */
  names(): string[] {
    const { icons } = this.json;
    return isObject(icons) ? Object.keys(icons) : [];
  }

  /** The icon of the name, also of one of before; undefined if there is none. */
  find(name: string): Icon | undefined {
    const known = this.#icons.get(name);
    if (known) return known;
    const icon = this.#has(name) ? this.#draw(name) : undefined;
    if (icon) this.#icons.set(name, icon);
    return icon;
  }

  #has(name: string): boolean {
    return [this.json.icons, this.json.aliases, this.json.formerNames].some(
      (names) => isObject(names) && Object.hasOwn(names, name),
    );
  }

  #draw(name: string): Icon {
    const { body, left, top, width, height, rotate, hFlip, vFlip } = this.#raw(name, 0);
    if (rotate === 0 && !hFlip && !vFlip) return { viewBox: [left, top, width, height], parts: partsOf(body) };
    const [across, down] = rotate % 2 === 1 ? [height, width] : [width, height];
    const flip = { ...IDENTITY, a: hFlip ? -1 : 1, d: vFlip ? -1 : 1 };
    const steps: readonly Affine[] = [
      translation(-left - width / 2, -top - height / 2),
      flip,
      rotationAbout(90 * rotate, 0, 0),
      translation(across / 2, down / 2),
    ];
    return { viewBox: [0, 0, across, down], parts: partsOf(body, steps.reduce(compose)) };
  }

  /** The fields of an icon, or of an alias laid over those of its parent. */
  #raw(name: string, depth: number): RawIcon {
    const { icons, aliases, formerNames } = this.json;
    const own = ownField(icons, name) ?? ownField(formerNames, name);
    if (typeof own === 'string') return this.#withDefaults({ body: this.around[0] + own + this.around[1] });
    if (own !== undefined) {
      if (!isObject(own) || typeof own.body !== 'string') {
        throw new IconError(`received ${formatReceived(own)}, expected an object with a body`);
      }
      return this.#withDefaults(own as Json & { readonly body: string });
    }
    const alias = ownField(aliases, name);
    const parent = isObject(alias) ? alias.parent : undefined;
    if (!isObject(alias) || typeof parent !== 'string') throw new IconError('is no icon, and an alias of none');
    if (depth >= MAX_ALIASES) throw new IconError(`is an alias of more than ${MAX_ALIASES} others, one of the other`);
    const raw = this.#raw(parent, depth + 1);
    return {
      body: raw.body,
      ...sizesOf(alias, raw),
      rotate: (raw.rotate + turnsOf(alias)) % 4,
      hFlip: raw.hFlip !== (alias.hFlip === true),
      vFlip: raw.vFlip !== (alias.vFlip === true),
    };
  }

  #withDefaults(icon: Json & { readonly body: string }): RawIcon {
    const standard = sizesOf(this.json, { left: 0, top: 0, width: STANDARD_SIZE, height: STANDARD_SIZE });
    return {
      body: icon.body,
      ...sizesOf(icon, standard),
      rotate: turnsOf(icon),
      hFlip: icon.hFlip === true,
      vFlip: icon.vFlip === true,
    };
  }
}

function ownField(holder: unknown, name: string): unknown {
  return isObject(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
}

type Sizes = Pick<RawIcon, 'left' | 'top' | 'width' | 'height'>;

function sizesOf(source: Json, standard: Sizes): Sizes {
  const read = (field: keyof Sizes, isSize: boolean): number => {
    const value = source[field] ?? standard[field];
    if (typeof value === 'number' && Math.abs(value) <= MAX_SIZE && (value > 0 || !isSize)) return value;
    const expected = isSize ? `a number above 0, up to ${MAX_SIZE}` : `a number from -${MAX_SIZE} to ${MAX_SIZE}`;
    throw new IconError(`${field}: received ${formatReceived(value)}, expected ${expected}`);
  };
  return {
    left: read('left', false),
    top: read('top', false),
    width: read('width', true),
    height: read('height', true),
  };
}

function turnsOf({ rotate = 0 }: Json): number {
  if (Number.isInteger(rotate)) return (((rotate as number) % 4) + 4) % 4;
  throw new IconError(`rotate: received ${formatReceived(rotate)}, expected a whole number of quarter turns`);
}

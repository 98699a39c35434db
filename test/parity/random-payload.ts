// Random payloads that are valid: every layer type, most fields, values at and between pixels.
import { createRandom, type Random } from '../fuzz/random.js';
import {
  dashes,
  effects,
  gradient,
  markup,
  type Palette,
  placement,
  radii,
  shapeFields,
  spans,
  typesetting,
} from '../fuzz/random-visuals.js';
import { PHRASES } from './phrases.js';

/** The materials that payloads refer to, all of them as data: URLs or names. */
export interface Materials {
  /** data: URLs. */
  readonly pictures: readonly string[];
  readonly fonts: readonly string[];
  /** Names of bundled families. */
  readonly families: readonly string[];
}

type Fields = Record<string, unknown>;

const COLORS: readonly string[] = [
  '#000',
  '#ffffff',
  '#0f172acc',
  '#12345678',
  'tomato',
  'rebeccapurple',
  'transparent',
  'rgb(12 200 90 / 40%)',
  'rgba(255, 255, 255, 0.35)',
  'hsl(212.5 83% 47%)',
  'hsla(1.3turn, 61%, 52%, 0.77)',
  'hwb(48deg 12% 9%)',
];

const WEIGHTS: readonly unknown[] = ['normal', 'bold', '100', '300', '500', '900', 450, 1000];

/** The payload of a seed and a number: the same everywhere. */
export function randomPayload(seed: string, number: number, materials: Materials): Fields {
  const random = createRandom(`parity ${seed} ${number}`);
  const draw = new Draw(random, materials);
  const width = 40 + random.below(320);
  const height = 40 + random.below(240);
  return {
    canvas: {
      width,
      height,
      ...draw.sometimes(4, 'backgroundColor', () => draw.fill()),
      ...draw.sometimes(6, 'scale', () => random.pick([0.5, 1.5, 2, Math.max(0.1, draw.between(0.4, 2))])),
    },
    format: random.pick(['png', 'png', 'png', 'jpeg', 'webp']),
    quality: 1 + random.below(100),
    layers: Array.from({ length: 1 + random.below(6) }, () => draw.layer(width, height)),
  };
}

/** One of each symbology. */
const BARCODES = [
  ['code128', 'Ticket 4711/b'],
  ['code39', 'LOT-39 A'],
  ['ean13', '590123412345'],
  ['ean8', '9638507'],
  ['upca', '03600029145'],
  ['itf14', '0540014128876'],
  ['gs1-128', '(01)09521234543213(10)AB'],
  ['pdf417', 'Grüße, 東京 ^1'],
  ['datamatrix', 'Grüße, 東京 ^1'],
  ['aztec', 'Grüße, 東京 ^1'],
] as const;

class Draw implements Palette {
  constructor(
    readonly random: Random,
    private readonly materials: Materials,
  ) {}

  get pictures(): readonly string[] {
    return this.materials.pictures;
  }

  layer(canvasWidth: number, canvasHeight: number): Fields {
    const { random } = this;
    const type = random.pick(['text', 'text', 'text', 'image', 'image', 'shape', 'shape', 'qrcode', 'barcode']);
    return {
      type,
      x: this.between(-canvasWidth / 4, canvasWidth * 0.75),
      y: this.between(-canvasHeight / 4, canvasHeight * 0.75),
      width: random.oneIn(30) ? 0 : this.between(0, canvasWidth),
      height: random.oneIn(30) ? 0 : this.between(0, canvasHeight),
      ...this.sometimes(3, 'opacity', () => this.between(0, 1)),
      ...this.sometimes(3, 'rotation', () => (random.oneIn(3) ? 90 * (random.below(9) - 4) : this.between(-720, 720))),
      ...this.sometimes(4, 'shadow', () => this.shadows(type)),
      ...effects(this),
      ...(type === 'text'
        ? this.text()
        : type === 'image'
          ? this.image()
          : type === 'shape'
            ? this.shape()
            : type === 'qrcode'
              ? this.qrcode()
              : this.barcode()),
    };
  }

  /** A whole number, half the time; otherwise one with every bit of a double's fraction. */
  readonly between = (low: number, high: number): number => {
    const value = low + (high - low) * ((this.random.next() + this.random.next() / 2 ** 32) / 2 ** 32);
    return this.random.oneIn(2) ? Math.round(value) : value;
  };

  color(): string {
    const { random } = this;
    if (random.oneIn(2)) return random.pick(COLORS);
    return `#${(random.next() >>> 0)
      .toString(16)
      .padStart(8, '0')
      .slice(0, random.pick([6, 8]))}`;
  }

  /** A colour or, now and then, a gradient. */
  fill(): string {
    return this.random.oneIn(4) ? gradient(this) : this.color();
  }

  /** The field, once in `times`. */
  sometimes(times: number, name: string, value: () => unknown): Fields {
    return this.random.oneIn(times) ? { [name]: value() } : {};
  }

  private shadow(): Fields {
    return {
      ...this.sometimes(2, 'color', () => this.color()),
      ...this.sometimes(2, 'blur', () => this.between(0, 30)),
      ...this.sometimes(2, 'offsetX', () => this.between(-12, 12)),
      ...this.sometimes(2, 'offsetY', () => this.between(-12, 12)),
    };
  }

  /** One shadow or several; those of boxes may spread or lie inside. */
  private shadows(type: string): Fields | Fields[] {
    const { random } = this;
    const one = () => ({
      ...this.shadow(),
      ...((type === 'image' || type === 'qrcode') && {
        ...this.sometimes(4, 'spread', () => this.between(-20, 20)),
        ...this.sometimes(4, 'inset', () => true),
      }),
    });
    return random.oneIn(2) ? one() : Array.from({ length: 1 + random.below(3) }, one);
  }

  private outline(max: number): Fields {
    return {
      ...this.sometimes(2, 'color', () => this.fill()),
      ...this.sometimes(2, 'width', () => this.between(0, max)),
    };
  }

  private text(): Fields {
    const { random, materials } = this;
    const phrases = Array.from({ length: 1 + random.below(3) }, () => random.pick(PHRASES));
    const text = phrases.join(random.pick([' ', '', '\n']));
    const { families } = materials;
    return {
      ...(random.oneIn(4)
        ? { spans: spans(this, text, families) }
        : random.oneIn(5)
          ? markup(this, text, families)
          : { text }),
      fontSize: this.between(1, random.pick([20, 40, 120])),
      ...this.sometimes(2, 'fontFamily', () => random.pick(materials.families)),
      ...this.sometimes(12, 'customFontUrl', () => random.pick(materials.fonts)),
      ...this.sometimes(3, 'fontWeight', () => random.pick(WEIGHTS)),
      ...this.sometimes(4, 'fontStyle', () => 'italic'),
      ...this.sometimes(2, 'color', () => this.fill()),
      ...this.sometimes(5, 'backgroundColor', () => this.fill()),
      ...this.sometimes(6, 'border', () => ({ ...this.outline(6), ...(random.oneIn(2) && dashes(this)) })),
      ...this.sometimes(6, 'borderLeft', () => this.styledLine(12)),
      ...this.sometimes(6, 'borderRadius', () => radii(this)),
      ...this.sometimes(6, 'padding', () => this.between(0, 20)),
      ...typesetting(this),
      ...this.sometimes(2, 'verticalAlign', () => random.pick(['top', 'middle', 'bottom'])),
      ...this.sometimes(4, 'letterSpacing', () => this.between(-3, 12)),
      ...this.sometimes(3, 'maxLines', () => 1 + random.below(3)),
      ...this.sometimes(5, 'wrap', () => false),
      ...this.sometimes(3, 'autoFit', () => true),
      ...this.sometimes(4, 'minFontSize', () => this.between(1, 30)),
      ...this.sometimes(3, 'textTransform', () => random.pick(['uppercase', 'lowercase', 'capitalize'])),
      ...this.sometimes(5, 'stroke', () => this.outline(8)),
    };
  }

  /** A side of a border. */
  private styledLine(max: number): Fields {
    return { ...this.outline(max), style: this.random.pick(['solid', 'dashed', 'dotted', 'double']) };
  }

  private image(): Fields {
    const { random, materials } = this;
    return {
      url: random.pick(materials.pictures),
      ...this.sometimes(2, 'mask', () => random.pick(['none', 'circle', 'squircle', 'rounded'])),
      ...this.sometimes(3, 'borderRadius', () => radii(this)),
      ...this.sometimes(2, 'fit', () => random.pick(['cover', 'contain', 'fill', 'none', 'scale-down'])),
      ...this.sometimes(3, 'border', () => ({ ...this.outline(20), ...(random.oneIn(3) && dashes(this)) })),
      ...this.sometimes(4, 'borderTop', () => this.styledLine(20)),
      ...this.sometimes(6, 'borderRight', () => this.styledLine(20)),
      ...placement(this),
      fallbackColor: this.color(),
    };
  }

  private shape(): Fields {
    const { random } = this;
    return {
      ...(random.oneIn(2)
        ? shapeFields(this)
        : { shapeType: random.pick(['rectangle', 'rounded_rectangle', 'circle', 'pill', 'line']) }),
      ...this.sometimes(2, 'fillColor', () => this.fill()),
      ...this.sometimes(2, 'border', () => ({
        ...this.outline(25),
        ...(random.oneIn(3) && dashes(this)),
        ...this.sometimes(4, 'join', () => random.pick(['round', 'bevel'])),
      })),
      ...this.sometimes(3, 'borderRadius', () => radii(this)),
    };
  }

  private barcode(): Fields {
    const { random } = this;
    const [symbology, data] = random.pick(BARCODES);
    return {
      symbology,
      data,
      ...this.sometimes(2, 'colorDark', () => this.color()),
      ...this.sometimes(2, 'colorLight', () => this.color()),
      ...this.sometimes(2, 'margin', () => random.below(9)),
      ...this.sometimes(2, 'showText', () => true),
      ...this.sometimes(3, 'fontSize', () => this.between(1, 40)),
    };
  }

  private qrcode(): Fields {
    const { random } = this;
    return {
      data: random.oneIn(3) ? `https://example.com/${random.next()}` : random.pick(PHRASES),
      ...this.sometimes(2, 'colorDark', () => this.fill()),
      ...this.sometimes(2, 'colorLight', () => this.fill()),
      ...this.sometimes(3, 'moduleShape', () => random.pick(['dot', 'rounded'])),
      ...this.sometimes(3, 'eyeShape', () => random.pick(['rounded', 'circle'])),
      ...this.sometimes(4, 'eyeColor', () => this.fill()),
      ...this.sometimes(2, 'margin', () => random.below(9)),
      ...this.sometimes(2, 'errorCorrectionLevel', () => random.pick(['L', 'M', 'Q', 'H'])),
      ...this.sometimes(3, 'borderRadius', () => radii(this)),
    };
  }
}

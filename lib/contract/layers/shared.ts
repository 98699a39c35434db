// The fields that all layers have, and the parts that several types share.

import * as z from 'zod';
import { BLEND_MODES } from '../../raster/blend-mode.js';
import { clipPath } from '../css/clip-path.js';
import { color, fill } from '../css/fill.js';
import { filter } from '../css/filter.js';
import { maskImage } from '../css/mask-image.js';
import { transform, transformOrigin } from '../css/transform.js';
import { lazily } from '../json/lazily.js';
import { objectHint } from '../messages/value-hints.js';
import { choice, expecting, filledText, flag, number, oneOrMore, record, text } from '../schema/fields.js';
import { lineStyle } from './borders.js';
import { boxLengths, boxRadii } from './layout/box-lengths.js';
import { extent, itemFields } from './layout/flex.js';
import { MAX_ALT_LENGTH } from './limits.js';
import { MAX_COORDINATE } from './output-size.js';

export { MAX_COORDINATE };
/** Maximum blur, stroke, spacing and font size, in pixels. */
export const MAX_DETAIL_SIZE = 1e4;
export const distance = () => number({ min: -MAX_COORDINATE, max: MAX_COORDINATE });
export const size = () => number({ min: 0, max: MAX_COORDINATE });

const oneShadow = record(() => ({
  color: color.prefault('rgba(0, 0, 0, 0.5)'),
  blur: number({ min: 0, max: MAX_DETAIL_SIZE })
    .default(0)
    .describe('pixels: twice the standard deviation of the blur'),
  offsetX: distance().default(0).describe('pixels to the right'),
  offsetY: distance().default(0).describe('pixels down'),
  spread: number({ min: -MAX_DETAIL_SIZE, max: MAX_DETAIL_SIZE })
    .default(0)
    .describe("pixels: with any but 0 the shadow is of the layer's box, larger by it on each side"),
  inset: flag().default(false).describe('whether the shadow is of the box and falls inside it'),
}));

const MAX_SHADOWS = 8;

/** The schema of one shadow or several; always a list in the output. */
export const shadow = oneOrMore(
  oneShadow,
  [0, MAX_SHADOWS],
  `an object, or an array of up to ${MAX_SHADOWS} objects`,
  (value) => objectHint(value, (field) => field in oneShadow.shape),
);

const line = (max: number) => ({
  color: fill.prefault('#000000'),
  width: number({ min: 0, max }).default(1).describe('pixels'),
});

/** The outline of glyphs. */
export const stroke = record(() => line(MAX_DETAIL_SIZE));

/** The border of a box, or one of its sides. */
export const border = record(() => ({ ...line(MAX_COORDINATE), ...lineStyle() }));

/** The fields of a box's sides, each in place of its border. */
export const borderSides = lazily(() => {
  const side = (name: string) => border.optional().describe(`the ${name} side, in place of border`);
  return { borderTop: side('top'), borderRight: side('right'), borderBottom: side('bottom'), borderLeft: side('left') };
});

/** The schema of one to four lengths, as in CSS: completeFour completes those of sides, cornersOf radii. */
export const sides = () => boxLengths({ least: 0 });

export const radii = () => boxRadii();

/** Maximum lengths of texts about a layer, in characters. */
const MAX_TITLE_LENGTH = 500;
const MAX_HREF_LENGTH = 2000;

/** The target of a link. `checkLayers` checks it, after variables have filled it. */
export const href = () =>
  text(MAX_HREF_LENGTH)
    .optional()
    .describe('a link, in SVG and PDF: http:, https:, mailto:, tel:, or # and the id of a layer');

const bookmarkFields = record(() => ({
  title: filledText(MAX_TITLE_LENGTH),
  level: number({ min: 1, max: 6, whole: true }).default(1).describe('1 to 6: an entry lies in the last one above it'),
}));

const bookmark = z.union(
  [filledText(MAX_TITLE_LENGTH).transform((title) => ({ title, level: 1 })), bookmarkFields],
  expecting(`a title of 1 to ${MAX_TITLE_LENGTH} characters, or an object with it and a level`, (value) =>
    objectHint(value, (field) => field in bookmarkFields.shape),
  ),
);

/** What a text or a group is in a document, for assistive technology. */
const ROLES = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'list', 'listitem', 'table', 'artifact'] as const;

/** The schema of `role` in texts and groups. */
export const role = () =>
  choice(ROLES)
    .optional()
    .describe('what it is in a PDF, for screen readers; a text is a paragraph without, artifact is decoration');

export const shared = lazily(() => ({
  id: text().optional().describe('your own identifier: named in errors and warnings'),
  name: text().optional().describe('a label, without effect'),
  x: distance().optional().describe('left edge of the box, in pixels; not needed in a group with a layout'),
  y: distance().optional().describe('top edge of the box, in pixels; not needed in a group with a layout'),
  width: extent().describe(
    'pixels; in a group with a layout also a percentage, "auto" for that of the content, or "fill"; "auto" on texts and groups with a layout anywhere',
  ),
  height: extent().describe('as width'),
  opacity: number({ min: 0, max: 1 }).default(1).describe('of the whole layer, shadow included'),
  rotation: distance().default(0).describe('degrees, clockwise, about the centre of the box'),
  shadow: shadow
    .optional()
    .describe('one, or an array of up to 8 of which the first is on top; follows the painted shape of the layer'),
  blendMode: choice(BLEND_MODES)
    .default('normal')
    .describe('how the layer is mixed with what lies beneath it, as CSS mix-blend-mode'),
  filter: filter
    .optional()
    .describe('a CSS filter list such as blur(4px) saturate(1.5), of content and border; shadows are of the result'),
  backdropFilter: filter
    .optional()
    .describe("a CSS filter list for what lies beneath the layer, in the layer's box and its corners"),
  maskImage: maskImage
    .optional()
    .describe("a CSS gradient, or a picture: the layer shows as much as its alpha says, in the layer's box"),
  clipPath: clipPath.optional().describe('a CSS shape: only what lies in it is drawn'),
  flip: choice(['x', 'y', 'both'])
    .optional()
    .describe('mirrors the layer about its centre, before rotation: x swaps left and right'),
  transform: transform
    .optional()
    .describe('a CSS transform list such as rotate(15deg) scale(1.2), in place of rotation and flip'),
  transformOrigin: transformOrigin
    .optional()
    .describe('the point of the box that transform keeps in place, a CSS position; its centre'),
  repeatOnPages: flag()
    .optional()
    .describe(
      'in documents: whether the layer is on all pages that a group with paginate fills, not only on the first',
    ),
  visible: flag().default(true).describe('false draws nothing, loads nothing, and takes no room in a layout'),
  alt: text(MAX_ALT_LENGTH)
    .optional()
    .describe('what the layer says or shows, for those who don’t see it; "" marks decoration'),
  href: href(),
  bookmark: bookmark.optional().describe('an entry in the outline of a PDF: its title, or an object'),
  ...itemFields(),
}));

/** The schema of `verify` in layers that paint a code. */
export const verify = choice(['off', 'warn', 'error'])
  .default('off')
  .describe(
    'reads the code back from the finished picture: one that scanners can’t read is a warning, or fails the render',
  );

export type LayerRole = (typeof ROLES)[number];
export type Shadow = z.output<typeof oneShadow>;

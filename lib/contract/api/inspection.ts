// The description of a payload: the result of `inspect`, and the schemas of the answer of `POST /v1/inspect`.
import * as z from 'zod';
import type { Warning } from '../../errors.js';
import type { Layer } from '../layers/index.js';
import { FINDING_CODES, type Finding, SEVERITIES } from '../messages/findings.js';
import { alt, detail } from './response.js';

const box = z.array(z.number()).length(4);

export const inspectedLine = z.object({
  text: z.string(),
  x: z.number(),
  y: z.number().describe('the top of the line box'),
  width: z.number().describe('without the blanks that hang at the end'),
  baseline: z.number().describe('the y of the baseline'),
});

export const inspectedLayer = z.object({
  path: z.string().describe('as in warnings: layers[0], layers[0].layers[2], hotspots.KEY, background'),
  id: z.string().optional().describe('the id that the layer was given'),
  type: z.enum(['text', 'image', 'qrcode', 'barcode', 'shape', 'group']),
  box: box.describe('x, y, width and height after layout, before rotation'),
  inkBox: box.describe('what the layer may paint, without its shadows; it may exceed the image'),
  visible: z.literal(false).optional().describe('only of layers that are hidden, or in a hidden group'),
  alt: z.string().optional().describe('what the layer says or shows, as the payload has it; empty for decoration'),
  fontSize: z.number().optional().describe('of a text: in the payload’s pixels, after autoFit'),
  lines: z.array(inspectedLine).optional().describe('of a text: its lines, before rotation; none of a text on a path'),
  moreLines: z
    .number()
    .int()
    .optional()
    .describe('of a text: how many lines are left out; an answer has at most 10,000, with 1,000,000 characters'),
  fonts: z
    .array(z.string())
    .optional()
    .meta({ description: 'of a text: those that its glyphs are from', examples: [['Inter 700']] }),
  overflow: z.boolean().optional().describe('of a text: whether it exceeds its box, or its path'),
  natural: z.array(z.number()).length(2).optional().describe('of an image: width and height after EXIF orientation'),
  source: box.optional().describe('of an image: the part that is shown, in its own pixels'),
  bytes: z.number().int().optional().describe('of an image: size of the file'),
  format: z
    .string()
    .optional()
    .meta({ description: 'of an image: png, jpeg, webp, avif, gif or svg', examples: ['jpeg'] }),
});

const finding = z.object({
  code: z.enum(FINDING_CODES),
  severity: z.enum(SEVERITIES),
  path: z.string().describe('a layer or its field, or variables.NAME, as in warnings'),
  message: z.string(),
  value: z.union([z.number(), z.string()]).optional().describe('what was measured'),
  limit: z.union([z.number(), z.string()]).optional().describe('what it is compared with'),
  fix: z
    .array(
      z.object({
        op: z.enum(['add', 'replace', 'remove', 'move']),
        path: z.string(),
        from: z.string().optional(),
        value: z.unknown().optional(),
      }),
    )
    .optional()
    .describe('a JSON Patch (RFC 6902) of the document that removes the finding and brings no other'),
});

const timings = z.object({
  check: z.number().describe('checking the payload, and filling a template'),
  load: z.number().describe('fetching and decoding images and fonts, and layouts of groups'),
  layout: z.number().describe('laying out texts and the other layers'),
});

export const inspectAnswer = z.object({
  success: z.literal(true),
  width: z.number().int().describe('pixels of the image'),
  height: z.number().int().describe('pixels of the image'),
  alt,
  creditsCost: z.number().describe('credits that a render would cost; an inspection costs none'),
  warnings: z.array(detail).describe('those of a render, except about codes that can’t be read back from the image'),
  layers: z
    .array(inspectedLayer)
    .describe('in drawing order, groups before the layers in them; in pixels of the image'),
  findings: z
    .array(finding)
    .optional()
    .describe('faults of the design, the worst first; only if they are asked for, and at most 100'),
  pages: z
    .array(z.object({ width: z.number().int(), height: z.number().int(), layers: z.array(inspectedLayer) }))
    .optional()
    .describe('of a PDF: its pages, of which the first has the size and the layers above'),
  timings: timings.describe('milliseconds'),
});

/** The answer of `POST /v1/inspect`. */
export interface InspectAnswer extends Inspection {
  readonly success: true;
  /** Credits that a render would cost. */
  readonly creditsCost: number;
}

/** `[x, y, width, height]` in pixels of the image. */
export type InspectedBox = readonly [x: number, y: number, width: number, height: number];

/**
 * A description, without the image, of what a render of the payload would draw. Lengths are rounded to hundredths of a pixel.
 */
export interface Inspection {
  /** Pixels of the image. */
  readonly width: number;
  readonly height: number;
  /**
   * What the picture shows, for those who don't see it: the payload's `alt`, else one of at most 1,000 characters that is composed
   * of its texts and its layers' `alt` in drawing order. Empty for decoration.
   */
  readonly alt: string;
  /** Warnings of a render, except about codes that can't be read back from the image. At most 100. */
  readonly warnings: readonly Warning[];
  /** Layers in drawing order; a group comes before its layers. */
  readonly layers: readonly LayerInspection[];
  /** Measured faults of the design, the worst first, if `findings` is asked for. At most 100. */
  readonly findings?: readonly Finding[];
  /** The pages of a PDF, of which the first has the size and the layers above; absent for other formats. */
  readonly pages?: readonly PageInspection[];
  readonly timings: InspectionTimings;
}

/** A page of a document. */
export interface PageInspection extends Pick<Inspection, 'width' | 'height' | 'layers'> {}

/** Milliseconds, to a tenth. */
export interface InspectionTimings {
  /** Checking the payload, and filling a template. */
  readonly check: number;
  /** Fetching and decoding images and fonts. Layouts of groups are found here too. */
  readonly load: number;
  /** Laying out texts and the other layers. */
  readonly layout: number;
}

/** The description of a layer. Fields of texts and images are absent from other layers. */
export interface LayerInspection extends Partial<TextInspection>, Partial<ImageInspection> {
  /**
   * Path in the form that warnings use: `layers[0]`, `layers[0].layers[2]`; in templates also `hotspots.KEY` and `background`.
   */
  readonly path: string;
  /** The layer's id from the payload. */
  readonly id?: string;
  readonly type: Layer['type'];
  /** Box after layout, before the rotation of the layer and of the groups around it. */
  readonly box: InspectedBox;
  /**
   * Pixels that the layer may paint, without its shadows; has no width and height if it paints nothing. May exceed the image.
   */
  readonly inkBox: InspectedBox;
  /** `false` if the layer, or a group that it is in, is hidden; absent otherwise. */
  readonly visible?: false;
  /** What the layer says or shows, as the payload has it; empty for decoration. */
  readonly alt?: string;
}

/** The description of a text that is drawn. */
export interface TextInspection {
  /** Font size in the payload's pixels, after autoFit. */
  readonly fontSize: number;
  /** Lines from top to bottom; none for a text on a path. An inspection has at most 10,000 lines with 1,000,000 characters. */
  readonly lines: readonly InspectedLine[];
  /** Number of further lines, if any. */
  readonly moreLines?: number;
  /** Fonts that its glyphs come from: `Inter 700`, `Playfair Display 400 italic`. */
  readonly fonts: readonly string[];
  /** Whether the text exceeds its box, or its path. */
  readonly overflow: boolean;
}

/** A line, before rotation like the box, without the blanks that hang at its end. */
export interface InspectedLine {
  readonly text: string;
  readonly x: number;
  /** The top of the line box. */
  readonly y: number;
  readonly width: number;
  /** The y of the baseline. */
  readonly baseline: number;
}

/** The description of an image that was loaded. */
export interface ImageInspection {
  /** Width and height in pixels, after the EXIF orientation. */
  readonly natural: readonly [width: number, height: number];
  /** The part of the image that is shown, in its own pixels. */
  readonly source: InspectedBox;
  /** Size of the file. */
  readonly bytes: number;
  /** `png`, `jpeg`, `webp`, `avif`, `gif` or `svg`. */
  readonly format: string;
}

// The canvas: its size, its scale and its background.
import type * as z from 'zod';
import { background } from '../css/background.js';
import { lazily } from '../json/lazily.js';
import { flag, number, record } from '../schema/fields.js';
import { MAX_CANVAS, MAX_COORDINATE, MAX_SCALE, MIN_SCALE, type ScaledSize, scaleIssue } from './output-size.js';

const side = (description: string) => number({ min: 1, max: MAX_CANVAS, whole: true }).describe(description);

export const scale = number({ min: MIN_SCALE, max: MAX_SCALE });

/** The fields that let the picture end where its layers do. A size of a template has them in place of the template's. */
export const autoSizeFields = lazily(() => ({
  autoWidth: flag()
    .optional()
    .describe('whether the picture ends at the right edge of its layers; width is then the most'),
  autoHeight: flag()
    .optional()
    .describe('whether the picture ends at the lower edge of its layers; height is then the most'),
  padding: number({ min: 0, max: MAX_COORDINATE })
    .optional()
    .describe('pixels after that edge, with autoWidth or autoHeight'),
}));

/** The fields of a canvas, without the check that the scaled sides are within bounds. */
export const canvasFields = lazily(() => ({
  width: side('pixels of the layers’ coordinates'),
  height: side('pixels of the layers’ coordinates'),
  scale: scale.default(1).describe('pixels of the image per pixel of the layers’ coordinates'),
  ...autoSizeFields(),
}));

/** A check of an object with width, height and scale. */
export function checkScale(value: ScaledSize, context: z.core.$RefinementCtx): void {
  const message = scaleIssue(value);
  if (message !== undefined) context.addIssue({ code: 'custom', path: ['scale'], message });
}

export const canvas = record(() => ({
  ...canvasFields(),
  backgroundColor: background
    .prefault('transparent')
    .describe('one CSS colour or gradient, or an array of up to 8 of which the first is on top'),
})).superRefine(checkScale);
export type Canvas = z.output<typeof canvas>;

/** The fields that make a picture end where its layers do. */
export type AutoSize = Pick<Canvas, keyof ReturnType<typeof autoSizeFields>>;

/** These fields of an object that has them among others; without those that are not set. */
export function autoSizeOf({ autoWidth, autoHeight, padding }: AutoSize): AutoSize {
  return {
    ...(autoWidth !== undefined && { autoWidth }),
    ...(autoHeight !== undefined && { autoHeight }),
    ...(padding !== undefined && { padding }),
  };
}

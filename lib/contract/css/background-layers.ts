// The zod schemas of where the fills of a background lie: CSS lists with a value for each fill, repeated as needed.
import * as z from 'zod';
import type { BackgroundBox, TileRepeat, TileSize } from '../../geometry/background-tiles.js';
import type { LengthPercentage, Position } from '../../geometry/length.js';
import { MAX_BACKGROUND_FILLS } from '../../raster/fill.js';
import { lazily } from '../json/lazily.js';
import { readPosition } from './position.js';
import { readLength, Scanner } from './scanner.js';

/** The schema of a CSS list of values that `read` reads. */
function list<Value>(read: (scanner: Scanner) => Value | undefined, example: string) {
  const expected = `1 to ${MAX_BACKGROUND_FILLS} values such as "${example}", set apart by commas`;
  return z
    .string({ error: expected })
    .transform((text, context): readonly Value[] => {
      const scanner = new Scanner(text);
      const values: Value[] = [];
      do {
        const value = read(scanner);
        if (value === undefined || values.push(value) > MAX_BACKGROUND_FILLS) break;
        if (scanner.isDone) return values;
      } while (scanner.mark(','));
      context.addIssue({ code: 'custom', message: expected });
      return z.NEVER;
    })
    .optional();
}

const AUTO = 'auto';

function readSide(scanner: Scanner): LengthPercentage | 'auto' | undefined {
  const length = scanner.keyword([AUTO]) ?? readLength(scanner);
  return typeof length === 'object' && (length.px < 0 || length.percent < 0) ? undefined : length;
}

function readSize(scanner: Scanner): TileSize | undefined {
  // gradients have no ratio of their own
  if (scanner.keyword(['cover', 'contain'])) return { width: AUTO, height: AUTO };
  const width = readSide(scanner);
  return width && { width, height: readSide(scanner) ?? AUTO };
}

const REPEATS = ['repeat', 'no-repeat', 'space', 'round'] as const;

function readRepeat(scanner: Scanner): readonly [x: TileRepeat, y: TileRepeat] | undefined {
  if (scanner.keyword(['repeat-x'])) return ['repeat', 'no-repeat'];
  if (scanner.keyword(['repeat-y'])) return ['no-repeat', 'repeat'];
  const x = scanner.keyword(REPEATS);
  return x && [x, scanner.keyword(REPEATS) ?? x];
}

const BOXES = ['border-box', 'padding-box', 'content-box'] as const;

/** The fields of a box beside `backgroundColor`. */
export const backgroundLayers = lazily(() => {
  const box = () => list((scanner): BackgroundBox | undefined => scanner.keyword(BOXES), 'padding-box');
  return {
    backgroundSize: list(readSize, '60px 50%').describe(
      "the size of each gradient's tiles, as in CSS: a CSS list, with a value for each fill; auto, the whole box",
    ),
    backgroundPosition: list((scanner): Position | undefined => readPosition(scanner, true), 'right 8px top').describe(
      'where the tiles begin: a CSS list of positions; 0 0',
    ),
    backgroundRepeat: list(readRepeat, 'repeat-x').describe(
      'a CSS list of repeat, no-repeat, repeat-x, repeat-y, space and round; repeat',
    ),
    backgroundOrigin: box().describe(
      'the box that sizes and positions refer to: border-box, padding-box (inside the border) or content-box (inside padding); border-box',
    ),
    backgroundClip: box().describe('the box that shows the background; border-box'),
  };
});

// Writes the pictures of a case that differs.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { diffOf } from '../picture-diff.js';
import type { Result } from './compare.js';

/**
 * Writes `expected.png`, `<runtime>.png` and `<runtime>-diff.png`. Returns how many values differ and by how much at most;
 * undefined if the pictures are equal, or one is missing.
 */
export function writePictures(
  folder: string,
  runtime: string,
  expected: Result | undefined,
  actual: Result | undefined,
): string | undefined {
  const [one, other] = [pngOf(expected), pngOf(actual)];
  if (one) writeFileSync(join(folder, 'expected.png'), PNG.sync.write(one));
  if (other) writeFileSync(join(folder, `${runtime}.png`), PNG.sync.write(other));
  if (!one || !other || one.width !== other.width || one.height !== other.height) return undefined;
  let count = 0;
  let most = 0;
  other.data.forEach((value, i) => {
    const difference = Math.abs(value - one.data[i]);
    if (difference > 0) count++;
    most = Math.max(most, difference);
  });
  if (count === 0) return undefined;
  writeFileSync(join(folder, `${runtime}-diff.png`), PNG.sync.write(diffOf(one, other)));
  return `${count} of ${one.data.length} values, by at most ${most}`;
}

function pngOf(result: Result | undefined): PNG | undefined {
  if (!result?.picture) return undefined;
  const { width, height, base64 } = result.picture;
  const png = new PNG({ width, height });
  png.data = Buffer.from(base64, 'base64');
  return png;
}

// The tables of text contrast, against their formula.
import t from 'tap';
import { pow } from '../../lib/geometry/math.js';
import { contrastTable } from '../../lib/raster/text-gamma.js';

const CONTRAST = 0.2;
const GAMMA = 76 / 64;

t.test('each entry is the nearest to what the formula gives, and no last digit decides', (t) => {
  for (let level = 0; level < 8; level++) {
    const luminance = ((level << 5) | (level << 2) | (level >> 1)) / 255;
    const opposite = 1 - luminance;
    const [text, backdrop] = [pow(luminance, GAMMA), pow(opposite, GAMMA)];
    const entries = Array.from({ length: 256 }, (_, i) => {
      const coverage = i / 255;
      const raised = coverage + (1 - coverage) * CONTRAST * backdrop * coverage;
      const blended = pow(text * raised + (1 - raised) * backdrop, 1 / GAMMA);
      return (255 * (blended - opposite)) / (luminance - opposite);
    });
    const gray = (level + 0.5) * 32;
    t.same([...contrastTable({ r: gray, g: gray, b: gray, a: 1 })], entries.map(Math.round), `level ${level}`);
    for (const entry of entries) t.ok(Math.abs(entry - Math.floor(entry) - 0.5) > 1e-5, `${entry}`);
  }
  t.end();
});

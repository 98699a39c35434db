// matchFace: the search order of CSS Fonts 4 by style and weight.
import t from 'tap';
import { matchFace } from '../../lib/text/font-stack.js';

interface Candidate {
  weight: number;
  style: 'normal' | 'italic';
}

const upright = (...weights: number[]): Candidate[] => weights.map((weight) => ({ weight, style: 'normal' }));
const italic = (...weights: number[]): Candidate[] => weights.map((weight) => ({ weight, style: 'italic' }));

t.test('matchFace searches weights in the specified order', (t) => {
  const all = [100, 200, 300, 400, 500, 600, 700, 800, 900];
  for (const [has, wanted, expected] of [
    [all, 600, 600],
    // 400 to 500: up to 500 first, then lighter ones, then heavier
    [[300, 500, 700], 400, 500],
    [[300, 700], 400, 300],
    [[100, 300, 700], 450, 300],
    [[600, 900], 400, 600],
    [[400, 600], 500, 400],
    [[600, 700], 500, 600],
    [[480, 300], 450, 480],
    // below 400: lighter ones first, then heavier
    [[100, 400], 300, 100],
    [[100, 200, 400], 300, 200],
    [[400, 700], 300, 400],
    // above 500: heavier ones first, then lighter
    [[400, 900], 700, 900],
    [[400, 600], 700, 600],
    [[800, 900, 500], 700, 800],
    [[400], 900, 400],
    [[700], 100, 700],
  ] as const) {
    t.equal(matchFace(upright(...has), wanted, 'normal').weight, expected, `${wanted} of ${has}`);
    t.equal(matchFace(upright(...[...has].reverse()), wanted, 'normal').weight, expected, 'in any order');
  }
  t.end();
});

t.test('matchFace prefers style over weight', (t) => {
  const faces = [...upright(400, 700), ...italic(400)];
  t.same(matchFace(faces, 700, 'italic'), { weight: 400, style: 'italic' });
  t.same(matchFace(faces, 700, 'normal'), { weight: 700, style: 'normal' });
  t.same(matchFace(upright(400, 700), 700, 'italic'), { weight: 700, style: 'normal' });
  t.same(matchFace(italic(300, 400), 400, 'normal'), { weight: 400, style: 'italic' });
  t.end();
});

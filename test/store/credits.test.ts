// Exact arithmetic on credits, up to the largest balance.
import t from 'tap';
import { addCredits, MAX_CREDITS } from '../../lib/store/credits.js';

t.test('charges of a millionth are exact at every balance, and sums have no rounding error', async (t) => {
  for (let top = 1; top <= MAX_CREDITS; top = top < MAX_CREDITS ? Math.min(top * 8, MAX_CREDITS) : top + 1) {
    // In millionths, which are integers.
    let left = BigInt(top) * 1_000_000n;
    let balance = top;
    for (const cost of [0.000001, 0.000003, 0.1, 0.333333, 0.999999]) {
      for (let times = 0; times < 100 && balance >= cost; times++) {
        balance = addCredits(balance, -cost);
        left -= BigInt(Math.round(cost * 1e6));
        if (BigInt(Math.round(balance * 1e6)) !== left) t.fail(`${top} less ${cost}, ${times} times: ${balance}`);
      }
    }
    t.equal(addCredits(balance, addCredits(top, -balance)), top, `${top} again`);
  }
  let balance = 1000;
  for (let times = 0; times < 10_000; times++) balance = addCredits(balance, -0.1);
  t.equal(balance, 0);
});

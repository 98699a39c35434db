// A process that charges a workspace in a data folder and says on its output what it asks for and what it is told.
// Each line: `? AMOUNT` before a charge or grant, `! AMOUNT` when it is acknowledged, `x AMOUNT` when it is refused, and
// `opened`, `closed`.

/** What the child runs: node child.js FOLDER WORKSPACE ROUNDS. In each round two charges at once, then a grant. */
export const CHARGER = `
import { writeSync } from 'node:fs';
import { serveStore } from './lib/store/open.js';
const [folder, id, rounds] = process.argv.slice(2);
const say = (line) => writeSync(1, line + '\\n');
const store = await serveStore(folder, { warn: () => undefined });
say('opened');
let charge = 1;
let grant = 2 ** 22;
const attempt = async (amount, work) => {
  say('? ' + amount);
  await work().then(
    () => say('! ' + amount),
    (error) => {
      if (error.code !== 'storage_unavailable') throw error;
      say('x ' + amount);
    },
  );
};
const take = async (amount) => {
  const held = await store.hold(id, amount);
  await attempt(amount, () => store.settle(held.hold));
};
for (let round = 0; round < Number(rounds); round++) {
  await Promise.all([take(charge), take(charge * 2)]);
  charge *= 4;
  await attempt(grant, () => store.grant(id, grant));
  grant *= 2;
}
say('reads ' + (await store.balance(id)).balance);
await store.close();
say('closed');
`;

// A process that charges a workspace in a data folder and says on its output what it asks for and what it is told.
// Each line: `? AMOUNT` before a charge or grant, `! AMOUNT` when it is acknowledged, `x AMOUNT` when it is refused;
// `opened`, `closed`, or why not. The amounts are those of a ledger.
import { Ledger, MAX_CHARGES } from './ledger.js';

/** What the child runs: node child.js FOLDER WORKSPACE ROUNDS. Two charges at once; then, each round, a grant and two more. */
export const CHARGER = `
import { writeSync } from 'node:fs';
import { serveStore } from './lib/store/open.js';
const [folder, id, rounds] = process.argv.slice(2);
const say = (line) => writeSync(1, line + '\\n');
const refuse = (error) => {
  if (error.name !== 'StoreError' && error.code === undefined) throw error;
  say(error.message.includes('\\n') ? 'several lines' : 'refused: ' + error.message);
  process.exit(0);
};
const store = await serveStore(folder, { warn: () => undefined }).catch(refuse);
say('opened');
let charge = 1;
let grant = ${2 ** MAX_CHARGES};
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
for (let round = 0; ; round++) {
  await Promise.all([take(charge), take(charge * 2)]);
  charge *= 4;
  if (round >= Number(rounds)) break;
  await attempt(grant, () => store.grant(id, grant));
  grant *= 2;
}
say('reads ' + (await store.balance(id)).balance);
await store.close().catch(refuse);
say('closed');
`;

/** What a child's output says, as a ledger that can be asked about the balance found afterwards. */
export function ledgerOf(output: string): Ledger {
  const ledger = new Ledger();
  const told = new Map<number, 'told' | 'refused'>();
  for (const [, word, amount] of output.matchAll(/^([!x]) (\d+)$/gm))
    told.set(Number(amount), word === '!' ? 'told' : 'refused');
  for (const [, text] of output.matchAll(/^\? (\d+)$/gm)) {
    const amount = Number(text);
    const operation = ledger.ask(amount < 2 ** MAX_CHARGES ? 'charge' : 'grant');
    if (operation.amount !== amount) throw new Error(`expected ${operation.amount}, received ${amount}`);
    if (told.get(amount) === 'refused') ledger.refuse(operation);
    // It says no balance, so it counts as told one in which nothing but itself had happened.
    if (told.get(amount) === 'told') ledger.tell(operation, ledger.start ^ amount);
  }
  return ledger;
}

// A child process that charges a workspace in a data folder and reports each operation on stdout, one per line:
// `? AMOUNT` before a charge or grant, `! AMOUNT` when it is acknowledged, `x AMOUNT` when it is rejected; `opened` and
// `closed`, or the error. The amounts are those of a ledger.
import { FINGERPRINT, type Kind, Ledger, MAX_CHARGES } from './ledger.js';

/**
 * The child's script: node child.mjs FOLDER WORKSPACE ROUNDS. It makes two concurrent charges, the second
 * with an idempotency key; then, in each round, a grant and two more charges.
 */
export const CHARGER = `
import { writeSync } from 'node:fs';
import { serveStore } from './lib/store/open.js';
const [folder, id, rounds] = process.argv.slice(2);
const print = (line) => writeSync(1, line + '\\n');
const fail = (error) => {
  if (error.name !== 'StoreError' && error.code === undefined) throw error;
  print(error.message.includes('\\n') ? 'several lines' : 'refused: ' + error.message);
  process.exit(0);
};
const store = await serveStore(folder, { warn: () => undefined }).catch(fail);
print('opened');
let charge = 1;
let grant = ${2 ** MAX_CHARGES};
const attempt = async (amount, work) => {
  print('? ' + amount);
  await work().then(
    () => print('! ' + amount),
    (error) => {
      if (error.code !== 'storage_unavailable') throw error;
      print('x ' + amount);
    },
  );
};
const take = async (amount) => {
  const held = await store.hold(id, amount);
  await attempt(amount, () => store.settle(held.hold));
};
const takeWithKey = async (amount) => {
  const { lease } = await store.claimIdempotencyKey({ keyId: 'key', value: String(amount) }, '${FINGERPRINT}');
  const held = await store.hold(id, amount);
  const settlement = { lease, renderId: 'render ' + amount, templateVersion: amount };
  await attempt(amount, () => store.settle(held.hold, settlement));
};
for (let round = 0; ; round++) {
  await Promise.all([take(charge), takeWithKey(charge * 2)]);
  charge *= 4;
  if (round >= Number(rounds)) break;
  await attempt(grant, () => store.grant(id, grant));
  grant *= 2;
}
print('reads ' + (await store.balance(id)).balance);
await store.close().catch(fail);
print('closed');
`;

/** Converts a child's output to a ledger, which can check the balance that is found afterwards. */
export function ledgerOf(output: string): Ledger {
  const ledger = new Ledger();
  const outcomes = new Map<number, 'acknowledged' | 'rejected'>();
  for (const [, mark, amount] of output.matchAll(/^([!x]) (\d+)$/gm))
    outcomes.set(Number(amount), mark === '!' ? 'acknowledged' : 'rejected');
  for (const [, text] of output.matchAll(/^\? (\d+)$/gm)) {
    const amount = Number(text);
    const operation = ledger.start(kindOf(amount));
    if (operation.amount !== amount) throw new Error(`expected ${operation.amount}, received ${amount}`);
    if (outcomes.get(amount) === 'rejected') ledger.reject(operation);
    // The child prints no balance, so assume one that includes only this operation.
    if (outcomes.get(amount) === 'acknowledged') ledger.acknowledge(operation, ledger.firstBalance ^ amount);
  }
  return ledger;
}

function kindOf(amount: number): Kind {
  if (amount >= 2 ** MAX_CHARGES) return 'grant';
  return Math.log2(amount) % 2 === 0 ? 'charge' : 'keyed charge';
}

// Another scanner reads every code that verify calls readable: random cards, judged by both. zbar-tools has zbarimg.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { render } from '../any-payload.js';
import { sample } from '../exhaustive.js';
import { type Card, card } from './cards.js';

/** The cards of the long form. */
const CARDS = 1000;
/**
 * The share of readable codes that zbar may miss: none of 459 in 1,000 cards, but its finder misses some faultless QR codes,
 * which it reads when they are a pixel further to the right.
 */
const MAX_MISSED = 0.01;

const folder = mkdtempSync(join(tmpdir(), 'cards-'));
t.teardown(() => rmSync(folder, { recursive: true }));

/**
 * Returns the output of zbarimg; undefined if it is not installed. QR codes are printed as their bytes: it guesses other
 * character sets.
 */
function zbar(file: string): Promise<string | undefined> {
  return new Promise((resolve) =>
    execFile('zbarimg', ['-q', '--raw', '-Sbinary', file], { encoding: 'utf8' }, (error, output) =>
      resolve(error?.code === 'ENOENT' ? undefined : output),
    ),
  );
}

/** Numbers as zbar prints them: a UPC-A is an EAN-13 with a 0 before it. */
const withoutZeros = (text: string) => text.trim().replace(/^0+/, '');

function isRead({ data }: Card, output: string): boolean {
  return output.includes(data) || output.split('\n').some((line) => withoutZeros(line) === withoutZeros(data));
}

/** The card as a file, and why its code can't be read, if verify says so. */
async function draw({ payload, at }: Card, file: string): Promise<string | undefined> {
  const layers = payload.layers.map((layer, i) => (i === at ? { ...layer, verify: 'warn' } : layer));
  const { bytes, warnings } = await render({ ...payload, layers });
  writeFileSync(file, bytes);
  return warnings.find(({ message }) => message.startsWith("the painted code can't be read"))?.message;
}

t.test('zbar reads what verify calls readable', async (t) => {
  const file = join(folder, 'card.png');
  const seeds = Array.from({ length: CARDS }, (_, seed) => seed);
  const counts = { cards: 0, readable: 0, onlyZbar: 0 };
  const missed: string[] = [];
  for (const seed of sample(seeds, 40)) {
    const each = card(seed);
    const problem = await draw(each, file);
    const output = await zbar(file);
    if (output === undefined) {
      t.pass('zbarimg is not installed');
      return;
    }
    counts.cards++;
    if (problem === undefined) counts.readable++;
    if (problem === undefined && !isRead(each, output)) missed.push(`${seed}: ${each.traits.join(', ')}`);
    if (problem !== undefined && isRead(each, output)) counts.onlyZbar++;
  }
  t.comment(`${counts.cards} cards, ${counts.readable} readable, ${counts.onlyZbar} that zbar alone reads`);
  for (const description of missed) t.comment(`zbar misses card ${description}`);
  // close to a half of all cards; a run without time has a single one
  if (counts.cards >= 20)
    t.ok(counts.readable > counts.cards / 10, `${counts.readable} of ${counts.cards} are readable`);
  t.ok(missed.length <= Math.max(1, MAX_MISSED * counts.readable), `zbar misses ${missed.length}`);
});

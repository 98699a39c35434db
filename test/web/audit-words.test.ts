// The page Activity describes each entry of the audit log.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { ACTIONS, actionWords, actorWords, detailWords } from '../../web/pages/activity/words.js';
import { ROOT } from '../checkout.js';

const entry = {
  id: 'a_1',
  time: '2026-11-22T21:00:00.000Z',
  actor: { kind: 'command' },
  action: 'key.create',
} as const;

t.test('has words for every action that the program records', async (t) => {
  const sources = ['lib/store/audited.ts', 'lib/dashboard/api/session.ts'].map((path) =>
    readFileSync(ROOT + path, 'utf8'),
  );
  const actions = sources.flatMap(
    (source) => source.match(/'(?:session|key|credits|template|asset|workspace|operator|link)\.\w+'/g) ?? [],
  );
  t.ok(actions.length > 15);
  for (const action of actions) t.ok(ACTIONS.includes(action.slice(1, -1)), action);
  t.equal(actionWords('badge.create'), 'badge.create', 'later versions may record more');
  for (const name of ['__proto__', 'constructor']) t.equal(actionWords(name), name);
});

t.test('says who it was', async (t) => {
  t.equal(actorWords({ kind: 'command' }), 'Command line');
  t.equal(actorWords({ kind: 'operator', name: 'Ada' }), 'Ada');
  t.equal(actorWords({ kind: 'key', name: 'key_1' }), 'key_1');
});

t.test('writes details in one line', async (t) => {
  const rows: [Record<string, string | number | boolean | null>, string][] = [
    [{ name: 'Webshop', scopes: 'render:write,render:read' }, '“Webshop” · render:write, render:read'],
    [{ amount: 1, balance: 1001 }, '1 credit · balance 1,001'],
    [{ name: 'Card', version: 3, isPublished: true }, '“Card” · version 3 · published'],
    [{ version: 3, isPublished: false, restored: 1 }, 'version 3 · from version 1'],
    [{ constructor: 'x', empty: null }, 'constructor x'],
    [{}, ''],
  ];
  for (const [details, expected] of rows) t.equal(detailWords({ ...entry, details }), expected);
  t.equal(detailWords(entry), '');
});

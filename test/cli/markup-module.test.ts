// Files of JSX and TSX on the command line: they run, by the esbuild of their project.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { loadMarkupModule } from '../../lib/cli/markup-module.js';
import type { CliContext } from '../../lib/cli/stdio.js';
import { fromJsx, type JsxElement } from '../../lib/jsx/index.js';

const contextIn = (directory: string) => ({ directory }) as CliContext;

t.test('runs a component with its imports, without a runtime of JSX', async (t) => {
  const directory = t.testdir({
    'card.tsx': `import { title } from './title';
const Card = ({ text }: { text: string }) => <div><b>{text}</b><>, you</></div>;
export default async () => <Card text={title} />;`,
    'title.ts': `export const title: string = 'Hello';`,
    'element.jsx': `export default <p style={{ color: 'teal' }}>Hi</p>;`,
  });
  const { value, baseDirectory } = await loadMarkupModule('card.tsx', contextIn(directory));
  t.equal(baseDirectory, directory);
  const { payload } = await fromJsx(value as JsxElement);
  t.match(payload.layers, [{ spans: [{ text: 'Hello' }, { text: ', you' }] }]);
  const element = await loadMarkupModule('element.jsx', contextIn(directory));
  t.match(element.value, { type: 'p', props: { children: 'Hi', style: { color: 'teal' } } });
});

t.test('what can not run fails with one line', async (t) => {
  const directory = t.testdir({
    'open.jsx': 'export default <div',
    'none.jsx': 'export const card = <div />;',
    'throws.jsx': `throw new Error('no\\ncard');`,
  });
  const load = (file: string) => loadMarkupModule(file, contextIn(directory));
  await t.rejects(load('open.jsx'), { message: /^open\.jsx: Expected ">" .* \(line 1, column 20\)$/ });
  await t.rejects(load('none.jsx'), {
    message: 'none.jsx: has no default export, expected an element or a component',
  });
  await t.rejects(load('throws.jsx'), { message: 'throws.jsx: no' });
  const elsewhere = await mkdtemp(join(tmpdir(), 'platen-jsx-'));
  await writeFile(join(elsewhere, 'card.jsx'), 'export default <p />;');
  await t.rejects(loadMarkupModule('card.jsx', contextIn(elsewhere)), { message: /needs esbuild.*card\.jsx\.json$/ });
});

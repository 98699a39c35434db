// Classes of Tailwind, by the packages of UnoCSS.
import t from 'tap';
import { fromJsx } from '../../lib/jsx/index.js';

const name = '@unocss/preset-wind3';
const isInstalled = await import(name).then(
  () => true,
  () => false,
);
const card = (tw: string, more: object = {}) => ({ type: 'div', props: { tw, children: 'Hi', ...more } });

t.test('classes are styles, and the style attribute wins', { skip: !isInstalled && 'not installed' }, async (t) => {
  const layerOf = async (element: object, options = {}) => {
    const { payload, warnings } = await fromJsx(element as never, { width: 800, height: 400, ...options });
    return { layer: payload.layers[0] as unknown as Record<string, unknown>, warnings };
  };
  const { layer, warnings } = await layerOf(
    card('text-xl p-4 px-2 bg-blue-500/50 border rounded-lg rotate-45 shadow-lg md:text-white lg:text-black', {
      style: { fontWeight: 700 },
    }),
  );
  t.same(warnings, []);
  t.match(layer, {
    fontSize: 20,
    fontWeight: 700,
    backgroundColor: 'rgb(59 130 246 / 0.5)',
    padding: [17, 9],
    border: { width: 1, color: '#e5e7eb' },
    borderRadius: 8,
    color: /255/,
  });
  t.match(layer.transform, /rotate\(45deg\)/);
  t.notMatch(layer.transform, /Z|rotateX/);
  const gradient = (await layerOf(card('bg-gradient-to-r from-red-500 to-blue-500'))).layer.backgroundColor;
  t.equal(gradient, 'linear-gradient(to right, rgb(239 68 68 / 1) 0%, rgb(59 130 246 / 1) 100%)');
  const unknown = await layerOf(card('p-1 nope hover:p-9'));
  t.match(unknown.warnings, [{ message: 'nope is no class of Tailwind' }]);
  t.equal(unknown.layer.padding, 4);
  const classes = { type: 'div', props: { className: 'p-1', children: 'Hi' } };
  t.equal((await layerOf(classes)).layer.padding, undefined);
  t.equal((await layerOf(classes, { tailwind: true })).layer.padding, 4);
});

t.test('without the packages one error names them', { skip: isInstalled && 'installed' }, async (t) => {
  await t.rejects(fromJsx(card('p-4') as never), {
    code: 'render_failed',
    message: 'classes of Tailwind need the package @unocss/core: npm install @unocss/core @unocss/preset-wind3',
  });
});

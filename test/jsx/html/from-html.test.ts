// HTML to payloads: the cascade, selectors, variables, media queries, font faces and what is dropped.
import t from 'tap';
import { validate } from '../../../lib/index.js';
import { fromHtml, type HtmlOptions } from '../../../lib/jsx/entry.js';

type Fields = Readonly<Record<string, unknown>>;
const layersOf = (html: string, options: HtmlOptions = {}) => {
  const { payload, warnings } = fromHtml(html, { width: 400, height: 200, ...options });
  t.same(validate(payload).details, [], html);
  return { layers: payload.layers as readonly Fields[], warnings };
};
/** The colour of the text in the element with the id "x". */
const colorOf = (style: string, body: string) => {
  const { layers } = layersOf(`<style>${style}</style>${body}`);
  const find = (list: readonly Fields[]): Fields | undefined =>
    list
      .flatMap((layer) => [layer, ...((layer.spans ?? layer.layers ?? []) as Fields[])])
      .find(({ text }) => text === 'X') ??
    list.map((layer) => find((layer.layers ?? []) as Fields[])).find((layer) => layer !== undefined);
  return find(layers)?.color;
};

t.test('a document, a part of one, and the canvas of its body', (t) => {
  const { layers, warnings } = layersOf('<p style="margin:0;color:teal">Hello <b>you</b></p>');
  t.same(warnings, []);
  t.same(layers, [
    {
      type: 'text',
      x: 0,
      y: 0,
      width: 400,
      height: 'auto',
      spans: [{ text: 'Hello ' }, { text: 'you', fontWeight: 700 }],
      color: 'teal',
      lineHeight: 'normal',
    },
  ]);
  const page = layersOf(
    '<!doctype html><html><head><title>T</title></head><body style="background:#eee;padding:10px"><p>A',
  );
  t.match(page.layers, [{ type: 'group', width: 400, height: 200, backgroundColor: '#eee' }]);
  t.end();
});

t.test('specificity, order and importance', (t) => {
  const body = '<div class="a b" id="i"><p class="c">X</p></div>';
  const cases: readonly [style: string, color: string | undefined][] = [
    ['p { color: red } .c { color: teal }', 'teal'],
    ['.c { color: teal } p { color: red }', 'teal'],
    ['p { color: red } p { color: teal }', 'teal'],
    ['#i p { color: teal } .a.b .c { color: red }', 'teal'],
    ['p { color: teal !important } #i p { color: red }', 'teal'],
    ['div > p { color: teal }', 'teal'],
    ['div > div p { color: red }', undefined],
    [':where(#i) p { color: red } p { color: teal }', 'teal'],
    [':is(#i, b) p { color: teal } .c { color: red }', 'teal'],
    ['p:not(.d, #e) { color: teal }', 'teal'],
    ['p:not(.c) { color: red }', undefined],
    ['p { color: teal } p { color: nonsense }', 'teal'],
    ['[class~=c] { color: teal }', 'teal'],
    ['[class^="C" i] { color: teal }', 'teal'],
    ['div { color: teal } p { color: inherit }', 'teal'],
    ['div { color: teal } p { color: unset }', 'teal'],
    ['div { color: red } p { color: initial }', undefined],
    ['p:hover { color: red } p { color: teal }', 'teal'],
    ['P.c { color: teal }', 'teal'],
  ];
  for (const [style, color] of cases) t.equal(colorOf(style, body), color, style);
  t.equal(colorOf('p { color: red }', '<p style="color:teal">X'), 'teal');
  t.equal(colorOf('p { color: teal !important }', '<p style="color:red">X'), 'teal');
  t.end();
});

t.test('selectors that count and combine', (t) => {
  const list = (at: number) => `<div>${[1, 2, 3, 4, 5].map((i) => `<p>${i === at ? 'X' : i}</p>`).join('')}</div>`;
  const cases: readonly [selector: string, at: readonly number[]][] = [
    [':first-child', [1]],
    [':last-child', [5]],
    [':nth-child(odd)', [1, 3, 5]],
    [':nth-child(2n)', [2, 4]],
    [':nth-child(-n+2)', [1, 2]],
    [':nth-child(n+4)', [4, 5]],
    [':nth-child(3)', [3]],
    [':nth-last-child(2)', [4]],
    [':nth-of-type(3n+1)', [1, 4]],
    [':only-child', []],
    [' + p', [2, 3, 4, 5]],
    [' ~ p + p', [3, 4, 5]],
    [':first-child ~ p:not(:last-child)', [2, 3, 4]],
  ];
  for (const [selector, places] of cases) {
    for (const at of [1, 2, 3, 4, 5]) {
      const color = colorOf(`p${selector} { color: teal }`, list(at));
      t.equal(color === 'teal', places.includes(at), `p${selector} at ${at}`);
    }
  }
  t.equal(colorOf('.a .b > i + b { color: teal }', '<div class=a><p class=b><i></i><b>X</b></p></div>'), 'teal');
  t.equal(colorOf('.a > .b b { color: teal }', '<div class=a><p class=b><u><b>X</b></u></p></div>'), 'teal');
  t.equal(colorOf('.a > .b b { color: teal }', '<div class=a><div><p class=b><b>X</b></p></div></div>'), undefined);
  t.end();
});

t.test('custom properties are computed where they are declared', (t) => {
  const body = '<div class="a"><p>X</p></div>';
  t.equal(colorOf(':root { --c: teal } p { color: var(--c) }', body), 'teal');
  t.equal(colorOf('.a { --c: red } p { --c: teal; color: var(--c) }', body), 'teal');
  t.equal(colorOf('.a { --b: teal; --c: var(--b) } p { --b: red; color: var(--c) }', body), 'teal');
  t.equal(colorOf('p { color: var(--none, teal) }', body), 'teal');
  t.equal(colorOf('p { color: var(--none, var(--other, teal)) }', body), 'teal');
  t.equal(colorOf('.a { color: teal } p { color: red; color: var(--none) }', body), 'teal');
  t.equal(colorOf('.a { --a: var(--b); --b: var(--a) } p { color: var(--a, teal) }', body), 'teal');
  const bomb = Array.from({ length: 30 }, (_, i) => `--v${i + 1}: var(--v${i}) var(--v${i});`).join('');
  t.equal(colorOf(`.a { --v0: x; ${bomb} } p { color: var(--v30, teal) }`, body), 'teal');
  t.end();
});

t.test('media queries are about the canvas', (t) => {
  const holds = (query: string) => colorOf(`@media ${query} { p { color: teal } }`, '<p>X') === 'teal';
  for (const query of [
    '(min-width: 400px)',
    'screen and (max-width: 25em)',
    '(width: 400px) and (height: 200px)',
    '(300px < width <= 400px)',
    '(width >= 400px)',
    'not print',
    'not (min-width: 401px)',
    'print, (orientation: landscape)',
    '(min-width: 900px) or (aspect-ratio: 2/1)',
    '(prefers-color-scheme: light)',
    '(min-width: calc(100px * 4))',
  ]) {
    t.ok(holds(query), query);
  }
  for (const query of [
    '(min-width: 401px)',
    'print',
    'not all',
    '(min-width: 1px) and (max-height: 100px)',
    '(foo: 1)',
  ]) {
    t.notOk(holds(query), query);
  }
  const { warnings } = layersOf('<style>@media (foo: 1) { p { color: red } }</style>');
  t.match(warnings, [{ path: 'style', message: '@media "(foo: 1)" is not supported, and does not hold' }]);
  t.end();
});

t.test('font faces become the files of texts', (t) => {
  const url = (name: string) => `https://fonts.example/${name}.woff2`;
  const { layers } = layersOf(`<style>
    @font-face { font-family: "My Face"; src: local("x"), url(${url('regular')}) format("woff2") }
    @font-face { font-family: My Face; font-weight: 700; src: url("${url('bold')}") }
    @font-face { font-family: My Face; font-weight: 700; src: url("${url('greek')}"); unicode-range: U+370-3FF }
    p { font-family: "My Face", Lora }
  </style><p>One <b>two</b> <code>three</code></p>`);
  const [text] = layers;
  t.match(text, { fontFamily: 'Lora', customFontUrl: url('regular') });
  t.match(text.spans, [{ text: 'One ' }, { text: 'two', customFontUrl: url('bold') }, {}, { fontFamily: 'monospace' }]);
  t.match(layersOf('<style>@font-face { font-family: A; src: url(a.ttf) }</style>').warnings, [
    { path: 'style', message: /^@font-face without/ },
  ]);
  for (const rule of ['', '{', '{ font-family: A }', '{ src:; font-family: A }', '<td> { *']) {
    t.ok(layersOf(`<style>@font-face ${rule}</style>`).warnings.length > 0, rule);
  }
  t.end();
});

t.test('generated content', (t) => {
  const { layers } = layersOf(
    '<style>p::before { content: "\\2192  " attr(id); color: teal }</style><p id=a>X <q>y</q></p>',
  );
  t.match(layers[0].spans, [
    { text: '→ a', color: 'teal' },
    { text: 'X ' },
    { text: '“' },
    { text: 'y' },
    { text: '”' },
  ]);
  t.end();
});

t.test('what is dropped or not supported warns once, with its place', (t) => {
  const { warnings } = layersOf(`<style>
    @import "x.css"; p::selection { color: red } p { float: left; width: expression(alert(1)) } foo } b { color: red }
    p { color }
  </style>
  <div class="card"><p>One</p><p onclick="go()">Two</p><script>go()</script><iframe></iframe><math><mi>x</mi></math></div>`);
  t.same(
    warnings.map(({ path, message }) => `${path}: ${message}`),
    [
      'div.card > p:nth-child(2): onclick: event handlers are not supported',
      'div.card > script:nth-child(3): <script> is not supported',
      'div.card > iframe:nth-child(4): <iframe> is not supported',
      'div.card > math:nth-child(5): <math> is not supported: its namespace is neither that of HTML nor that of SVG',
      'style: @import is not supported',
      'style: ::selection of a selector is not supported',
      'style: "foo } b" is no selector, and its rule is dropped',
      'style: "color" is no declaration, and is dropped',
      'div.card > p:nth-child(1): float is not supported',
      'div.card > p:nth-child(1): width: expression(alert(1)) is not supported',
    ],
  );
  t.throws(() => fromHtml('<p style="float:left">X', { strict: true }), {
    code: 'render_failed',
    message: 'p: float is not supported',
  });
  t.throws(() => fromHtml('X', { width: 0 }), { code: 'invalid_request' });
  t.end();
});

t.test('markup beyond the bounds fails with one line', (t) => {
  const fails = (html: string, message: RegExp) => t.throws(() => fromHtml(html), { code: 'render_failed', message });
  fails('<div>'.repeat(300), /more than 256 levels/);
  fails('<i></i>'.repeat(10_001), /more than 10000 nodes/);
  // tags that are left open are opened again in each paragraph
  const open = Array.from({ length: 500 }, (_, i) => `<b class="c${i}">`).join('');
  fails(`${open}${'<p>x'.repeat(500)}`, /more than 10000 nodes|more than 256 levels/);
  fails(`<style>/*${'x'.repeat(2 ** 20)}*/</style>`, /more than 1 MiB/);
  fails(`<style>${'p p p {} '.repeat(5000)}</style>${'<p></p>'.repeat(5000)}`, /10000000 tests/);
  fails(`<p ${Array.from({ length: 1001 }, (_, i) => `a${i}`).join(' ')}>`, /more than 1000 attributes/);
  fails(`<style>${'a{'.repeat(100_000)}</style>`, /nested more than/);
  fails(`<style>${':not('.repeat(100_000)}</style>`, /nested more than/);
  t.end();
});

t.test('a line over text, and a picture in its letters, warn and leave text that can be read', (t) => {
  const html =
    '<p style="text-decoration:overline">Over</p>' +
    '<p style="background:url(https://a.example/x.png);background-clip:text;color:transparent">Lake</p>';
  const { payload, warnings } = fromHtml(html, { width: 300, height: 200 });
  t.same(
    warnings.map(({ path, message }) => `${path}: ${message}`),
    [
      'p:nth-child(1): text-decoration-line: overline is not supported',
      'p:nth-child(2): background-image: url(https://a.example/x.png) is not supported',
    ],
  );
  t.match(validate(payload), { valid: true, details: [] });
  const text = JSON.stringify(payload);
  t.match(text, '"black"');
  t.notMatch(text, /"line":""|x\.png/);
  t.end();
});

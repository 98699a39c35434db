// The rules of layer fields, one row each: accepted values, parsed values, rejected values and their messages.
import fc from 'fast-check';
import t from 'tap';
import { LAYER_SCHEMAS } from '../../lib/contract/layers/index.js';
import { parseLayers } from '../../lib/contract/layers/parse.js';
import { type Detail, RenderError } from '../../lib/errors.js';

const box = { x: 1, y: 2.5, width: 30, height: 40 };
const minimal = {
  text: { type: 'text', ...box, text: 'hi' },
  image: { type: 'image', ...box, url: 'https://example.com/a.png' },
  qrcode: { type: 'qrcode', ...box, data: 'hi' },
  barcode: { type: 'barcode', ...box, symbology: 'code128', data: 'hi' },
  shape: { type: 'shape', ...box, shapeType: 'circle' },
} as const;
const black = { r: 0, g: 0, b: 0, a: 1 };
const white = { r: 255, g: 255, b: 255, a: 1 };

function detailsFor(...layers: unknown[]): readonly Detail[] {
  try {
    parseLayers(layers);
  } catch (error) {
    if (error instanceof RenderError && error.code === 'render_failed') return error.details;
    throw error;
  }
  return [];
}

t.test('says which tag of a font setting is wrong, and which value', (t) => {
  const detail = (tag: string, value: unknown) => detailsFor({ ...minimal.text, fontFeatures: { [tag]: value } })[0];
  for (const tag of ['tnu', 'tnumx', 'tnü1', '']) {
    t.match(detail(tag, 1)?.path, /^layers\[0\]\.fontFeatures/, tag);
    t.match(detail(tag, 1)?.message, /tags of four characters, such as "tnum"$/, tag);
  }
  t.match(detail('tnum', true), {
    path: 'layers[0].fontFeatures.tnum',
    message: 'received true, expected a whole number from 0 to 65535',
  });
  t.match(detail('tnum', 1.5)?.message, /expected a whole number from 0 to 65535/);
  t.end();
});

t.test('applies defaults', async (t) => {
  const shared = { ...box, opacity: 1, rotation: 0, blendMode: 'normal', visible: true };
  t.strictSame(parseLayers([minimal.text, minimal.image, minimal.qrcode, minimal.barcode, minimal.shape]), [
    {
      type: 'text',
      ...shared,
      text: 'hi',
      markup: false,
      fontFamily: 'Inter',
      fontSize: 16,
      minFontSize: 8,
      fontWeight: 400,
      fontStyle: 'normal',
      color: black,
      textAlign: 'left',
      direction: 'auto',
      verticalAlign: 'top',
      lineHeight: 1.2,
      letterSpacing: 0,
      wrap: true,
      textWrap: 'wrap',
      wordBreak: 'normal',
      hyphens: 'manual',
      hangingIndent: 0,
      autoFit: false,
      textTransform: 'none',
      textDecoration: 'none',
      borderRadius: [0],
      padding: [0],
      backgroundFit: 'box',
    },
    {
      type: 'image',
      ...shared,
      url: 'https://example.com/a.png',
      mask: 'none',
      borderRadius: [16],
      fit: 'cover',
      repeat: 'none',
    },
    {
      type: 'qrcode',
      ...shared,
      data: 'hi',
      colorDark: black,
      colorLight: white,
      margin: 4,
      errorCorrectionLevel: 'M',
      borderRadius: [0],
      moduleShape: 'square',
      eyeShape: 'square',
      verify: 'off',
    },
    {
      type: 'barcode',
      ...shared,
      symbology: 'code128',
      data: 'hi',
      colorDark: black,
      colorLight: white,
      showText: false,
      fontFamily: 'Inter',
      verify: 'off',
    },
    { type: 'shape', ...shared, shapeType: 'circle', borderRadius: [16] },
  ]);
});

t.test('applies the defaults of shadow, stroke and border', async (t) => {
  const shadow = { color: { r: 0, g: 0, b: 0, a: 0.5 }, blur: 0, offsetX: 0, offsetY: 0, spread: 0, inset: false };
  const [text, image, shape] = parseLayers([
    { ...minimal.text, shadow: {}, stroke: {} },
    { ...minimal.image, border: {} },
    { ...minimal.shape, border: {} },
  ]);
  t.strictSame(text.shadow, [shadow]);
  t.strictSame('stroke' in text && text.stroke, { color: black, width: 1 });
  t.strictSame('border' in image && image.border, { color: black, width: 1 });
  t.strictSame('border' in shape && shape.border, {});
});

t.test('takes one shadow or up to eight', async (t) => {
  const shadowsOf = (shadow: unknown) => parseLayers([{ ...minimal.shape, shapeType: 'circle', shadow }])[0].shadow;
  t.strictSame(
    shadowsOf([{ blur: 1 }, { blur: 2, color: null }])?.map(({ blur }) => blur),
    [1, 2],
  );
  t.strictSame(shadowsOf([]), []);
  t.strictSame(shadowsOf([{}]), shadowsOf({}));
  const messages = (shadow: unknown) =>
    detailsFor({ ...minimal.image, shadow }).map(({ path, message }) => `${path} ${message}`);
  const expected = 'expected an object, or an array of up to 8 objects';
  t.same(messages(5), [`layers[0].shadow received 5, ${expected}`]);
  t.same(messages(Array(9).fill({})), [`layers[0].shadow received an array of 9, ${expected}`]);
  t.same(messages([{}, 5]), ['layers[0].shadow[1] received 5, expected an object']);
  t.same(messages([{}, { blur: -1, inset: 1 }]), [
    'layers[0].shadow[1].blur received -1, expected a number from 0 to 10000',
    'layers[0].shadow[1].inset received 1, expected true or false (write true)',
  ]);
});

t.test('takes one to four radii', async (t) => {
  const [image] = parseLayers([{ ...minimal.image, borderRadius: [1, 2, 3] }]);
  t.same('borderRadius' in image && image.borderRadius, [1, 2, 3]);
  const [detail] = detailsFor({ ...minimal.image, borderRadius: [1, -2] });
  t.same(detail, {
    code: 'invalid_value',
    path: 'layers[0].borderRadius[1]',
    message: 'received -2, expected a number from 0 to 1000000',
    value: -2,
    expected: 'a number from 0 to 1000000',
  });
});

t.test('refuses box shadows on layers that are not painted as a box', async (t) => {
  const messages = (layer: object) => detailsFor(layer).map(({ path, message }) => `${path} ${message}`);
  for (const shadow of [{ spread: 4 }, { inset: true }, [{ spread: -4, inset: true }]]) {
    t.same(messages({ ...minimal.image, shadow }), []);
    t.same(messages({ ...minimal.qrcode, shadow }), []);
    for (const shapeType of ['rectangle', 'rounded_rectangle', 'circle', 'pill']) {
      t.same(messages({ ...minimal.shape, shapeType, shadow }), []);
    }
  }
  t.same(messages({ ...minimal.shape, shapeType: 'line', shadow: [{}, { spread: 4, inset: true }] }), [
    'layers[0].shadow[1].spread received 4, expected 0 on shapeType "line"',
    'layers[0].shadow[1].inset received true, expected false on shapeType "line"',
  ]);
  t.same(messages({ ...minimal.text, shadow: { inset: true } }), [
    'layers[0].shadow.inset received true, expected false on a text without backgroundColor',
  ]);
  t.same(messages({ ...minimal.text, backgroundColor: 'red', shadow: { inset: true } }), []);
});

t.test('treats null as absent, in layers and in nested objects', async (t) => {
  const absent = {
    id: null,
    opacity: null,
    shadow: null,
    fontWeight: null,
    color: null,
    stroke: { color: null, width: 2 },
  };
  t.strictSame(parseLayers([{ ...minimal.text, ...absent }]), parseLayers([{ ...minimal.text, stroke: { width: 2 } }]));
});

t.test('ignores unknown fields', async (t) => {
  const odd = JSON.parse('{"__proto__":{"opacity":0.5},"constructor":1,"toString":2,"zIndex":3}');
  t.strictSame(parseLayers([{ ...minimal.text, zIndex: 3 }]), parseLayers([minimal.text]));
  const whole = { ...minimal.text };
  for (const key of Object.keys(odd)) Object.defineProperty(whole, key, { value: odd[key], enumerable: true });
  t.strictSame(parseLayers([whole]), parseLayers([minimal.text]));
});

t.test('parses font weights', async (t) => {
  const weightOf = (fontWeight: unknown) => {
    const [layer] = parseLayers([{ ...minimal.text, fontWeight }]);
    return 'fontWeight' in layer ? layer.fontWeight : undefined;
  };
  for (const [given, weight] of [
    ['normal', 400],
    ['bold', 700],
    ['100', 100],
    ['900', 900],
    [550, 550],
    ['1', 1],
    ['1000', 1000],
    [1000, 1000],
  ]) {
    t.equal(weightOf(given), weight, String(given));
  }
  for (const bad of ['bolder', '0', '1001', '', ' 400', '4e2', 0, 1001, 400.5, true]) {
    t.same(
      detailsFor({ ...minimal.text, fontWeight: bad })[0]?.message.replace(/ \(write .*\)$/, ''),
      `received ${JSON.stringify(bad)}, expected "normal", "bold", or a whole number from 1 to 1000 such as "400"`,
    );
  }
});

const manyTags = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${100 + i}`, 1]));

/** Type, field, accepted values, rejected values, and what the message says it expects. */
const rules: [keyof typeof minimal, string, unknown[], unknown[], string][] = [
  [
    'text',
    'x',
    [0, -1e6, 1e6, 0.5],
    ['1', 1e7, -1e7, Number.NaN, Number.POSITIVE_INFINITY, true, null, undefined],
    'a number from -1000000 to 1000000',
  ],
  ['image', 'y', [0, -0.5], [[], {}], 'a number from -1000000 to 1000000'],
  ['qrcode', 'width', [0, 1e6], [-1, 1e6 + 1, '10'], 'a number from 0 to 1000000'],
  ['shape', 'height', [0, 0.1], [-0.1, null], 'a number from 0 to 1000000'],
  ['text', 'opacity', [0, 1, 0.3], [2, -0.1, '1', Number.NaN], 'a number from 0 to 1'],
  ['text', 'rotation', [-1e6, 720], [1e308, '90deg'], 'a number from -1000000 to 1000000'],
  ['text', 'id', ['', 'a'], [5], 'a string'],
  ['text', 'name', ['n'], [[]], 'a string'],
  ['text', 'text', ['', 'a\nb\u0000'], [5, null, undefined], 'a string'],
  ['text', 'fontFamily', ['__proto__'], [1], 'a string'],
  ['text', 'customFontUrl', ['https://x/a.ttf'], [1], 'a string'],
  ['text', 'fontSize', [0, 10000], [-1, 10001], 'a number from 0 to 10000'],
  ['text', 'minFontSize', [0.1], [0, -1], 'a number above 0, up to 10000'],
  ['text', 'fontStyle', ['normal', 'italic'], ['oblique'], 'one of "normal", "italic"'],
  ['text', 'maxFontSize', [0.1, 10000], [0, 10001, '40px'], 'a number above 0, up to 10000'],
  [
    'text',
    'textAlign',
    ['start', 'end', 'justify'],
    ['x'],
    'one of "left", "center", "right", "start", "end", "justify"',
  ],
  [
    'text',
    'textAlign',
    [],
    ['centre'],
    'one of "left", "center", "right", "start", "end", "justify" (did you mean "center"?)',
  ],
  [
    'text',
    'fontFeatures',
    [{}, { tnum: 1, 'ss 1': 65535, '1234': 0 }],
    [[], 'tnum', manyTags(33)],
    'an object of up to 32 tags of four characters, such as "tnum"',
  ],
  [
    'text',
    'fontVariations',
    [{ wght: 450.5, GRAD: -1e5 }, manyTags(16)],
    [manyTags(17)],
    'an object of up to 16 tags of four characters, such as "tnum"',
  ],
  ['text', 'direction', ['auto', 'ltr', 'rtl'], ['x'], 'one of "auto", "ltr", "rtl"'],
  ['text', 'textWrap', ['wrap', 'balance'], ['x'], 'one of "wrap", "balance"'],
  ['text', 'verticalAlign', ['top', 'middle', 'bottom'], ['baseline'], 'one of "top", "middle", "bottom"'],
  [
    'text',
    'lineHeight',
    [0, 1000, '0px', '48px', '10.25px', '10000px', 'normal'],
    [-1, 1001, '48', '48em', '-1px', '1e3px', '10001px', ' 48px'],
    'a number from 0 to 1000, text such as "48px" up to "10000px", or "normal"',
  ],
  ['text', 'letterSpacing', [-10000, 10000], [1e9, -1e9], 'a number from -10000 to 10000'],
  ['text', 'maxLines', [1, 1e9], [0, 1.5, -1], 'a whole number of at least 1'],
  ['text', 'wrap', [true, false], ['true', 1, 0], 'true or false'],
  ['text', 'autoFit', [true], ['no'], 'true or false'],
  [
    'text',
    'textTransform',
    ['none', 'uppercase', 'lowercase', 'capitalize'],
    ['x'],
    'one of "none", "uppercase", "lowercase", "capitalize"',
  ],
  [
    'text',
    'textDecoration',
    ['none', 'underline', 'line-through', 'underline line-through'],
    ['overline!'],
    'one of "none", "underline", "line-through", "underline line-through", or an object such as {"line": "underline", "style": "wavy"}',
  ],
  ['text', 'stroke', [{}], [[], 'red', 3], 'an object'],
  ['image', 'url', ['data:,'], [5, null], 'a string'],
  [
    'image',
    'mask',
    ['none', 'circle', 'squircle', 'rounded'],
    ['hexagon'],
    'one of "none", "circle", "squircle", "rounded"',
  ],
  [
    'image',
    'fit',
    ['cover', 'contain', 'fill', 'none', 'scale-down'],
    ['stretch'],
    'one of "cover", "contain", "fill", "none", "scale-down"',
  ],
  [
    'image',
    'position',
    ['top', '20% 80%', 'right 10px bottom 5px', 'left 3px center', ' CENTER\n', '0 -4.5px', 'smart', ' Smart '],
    ['', 'middle', 'top top', '20', '1em 2em', 'smart left', 'left, top', '0 0 0', 'url(x)', 5],
    'a CSS position such as "top", "20% 80%" or "right 10px bottom 5px", or "smart"',
  ],
  ['image', 'crop', [{ x: -4, y: 0.5, width: 3, height: 1e6 }], [[], 4, 'top'], 'an object'],
  ['image', 'repeat', ['none', 'tile'], ['repeat-x!'], 'one of "none", "tile"'],
  ['image', 'tileWidth', [1, 1e6], [0, 0.5, '40px'], 'a number from 1 to 1000000'],
  ['image', 'tileHeight', [1, 1e6], [0, 0.5, '40px'], 'a number from 1 to 1000000'],
  ['image', 'borderRadius', [], [-1], 'a number from 0 to 1000000'],
  [
    'image',
    'borderRadius',
    [0, 5.5, [1], [1, 2, 3, 4], '8px', ' 4px 8PX .5px\t0 '],
    [[], [1, 2, 3, 4, 5], {}],
    'a number from 0 to 1000000, an array of 1 to 4 such numbers, or text such as "8px 16px"',
  ],
  ['qrcode', 'data', ['', '日本'], [5], 'a string'],
  ['qrcode', 'margin', [0, 1000], [1.5, -1, 1001], 'a whole number from 0 to 1000'],
  ['qrcode', 'moduleShape', ['square', 'dot', 'rounded'], ['X?'], 'one of "square", "dot", "rounded"'],
  ['qrcode', 'eyeShape', ['square', 'rounded', 'circle'], ['dot'], 'one of "square", "rounded", "circle"'],
  ['barcode', 'data', ['', '日本'], [5], 'a string'],
  ['barcode', 'margin', [0, 1000], [1.5, -1, 1001], 'a whole number from 0 to 1000'],
  ['barcode', 'showText', [true, false], ['yes', 1], 'true or false'],
  ['barcode', 'fontSize', [0.5, 10000], [0, -1, 10001], 'a number above 0, up to 10000'],
  ['qrcode', 'errorCorrectionLevel', ['L', 'M', 'Q', 'H'], ['X?'], 'one of "L", "M", "Q", "H"'],
  [
    'shape',
    'shapeType',
    ['rectangle', 'rounded_rectangle', 'circle', 'pill', 'line', 'arc'],
    ['blob?', null],
    'one of "rectangle", "rounded_rectangle", "circle", "pill", "line", "polygon", "star", "path", "arc"',
  ],
  ['shape', 'innerRadius', [0, 0.5, 1], [-0.1, 2, 'half'], 'a number from 0 to 1'],
  ['shape', 'startAngle', [-90, 0, 720], ['90deg'], 'a number from -1000000 to 1000000'],
  ['shape', 'endCap', ['none', 'arrow', 'round'], ['square!', 1], 'one of "none", "arrow", "round"'],
  ['shape', 'fillRule', ['nonzero', 'evenodd'], [true], 'one of "nonzero", "evenodd"'],
  ['shape', 'preserveAspectRatio', ['meet', 'slice', 'none'], ['xMidYMid'], 'one of "meet", "slice", "none"'],
  [
    'shape',
    'viewBox',
    [
      [0, 0, 24, 24],
      [-5.5, 3, 0.1, 1],
    ],
    ['0 0 24 24', [0, 0, 24]],
    'an array of four numbers [x, y, width, height], width and height above 0',
  ],
  ['shape', 'd', ['', 'M0 0h1'], [5], 'a string'],
  [
    'shape',
    'points',
    [
      3,
      100,
      [
        [0, 0],
        [1, 0],
        [1, 1],
      ],
    ],
    ['many', true],
    'an array of 3 to 10000 points [x, y], or a whole number from 3 to 100',
  ],
];

for (const [type, field, taken, refused, expected] of rules) {
  t.test(`${type}.${field}: ${expected}`, async (t) => {
    for (const value of taken) t.same(detailsFor({ ...minimal[type], [field]: value }), []);
    for (const value of refused) {
      const [detail, ...others] = detailsFor({ ...minimal[type], [field]: value });
      t.same(others, []);
      t.equal(detail?.path, `layers[0].${field}`);
      t.match(detail?.message, /^received /);
      // mistakes.test.ts tests the hints
      const bare = (message = '') => message.replace(/^received .*?, expected | \((?:write|did you mean) .*\)$/g, '');
      t.equal(bare(detail?.message), bare(expected));
    }
  });
}

t.test('checks the fields that each shape needs', async (t) => {
  const messages = (more: object) =>
    detailsFor({ ...minimal.shape, ...more }).map(({ path, message }) => `${path} ${message}`);
  const triangle = [
    [0, 0],
    [9, 0],
    [0, 9],
  ];
  for (const more of [
    { shapeType: 'polygon', points: triangle },
    { shapeType: 'star', points: 5 },
    { shapeType: 'path', d: '' },
    { shapeType: 'arc' },
    { shapeType: 'circle', points: 5 },
  ]) {
    t.same(messages(more), []);
  }
  const corners = 'an array of 3 to 10000 points [x, y]';
  t.same(messages({ shapeType: 'polygon' }), [`layers[0].points received nothing, expected ${corners}`]);
  t.same(messages({ shapeType: 'polygon', points: 5 }), [`layers[0].points received 5, expected ${corners}`]);
  t.same(messages({ shapeType: 'star', points: triangle }), [
    'layers[0].points received an array of 3, expected a whole number from 3 to 100',
  ]);
  t.same(messages({ shapeType: 'star', points: 101 }), [
    'layers[0].points received 101, expected a whole number from 3 to 100',
  ]);
  t.same(messages({ shapeType: 'polygon', points: [] }), [
    `layers[0].points received an empty array, expected ${corners}`,
  ]);
  t.same(messages({ shapeType: 'path' }), ['layers[0].d received nothing, expected SVG path data']);
  t.same(messages({ shapeType: 'polygon', points: [...triangle, [1, 'a']] }), [
    'layers[0].points[3][1] received "a", expected a number from -1000000 to 1000000',
  ]);
  t.same(messages({ shapeType: 'polygon', points: [...triangle, 7] }), [
    'layers[0].points[3] received 7, expected a point: an array of two numbers',
  ]);
  t.match(messages({ shapeType: 'polygon', points: Array(10_001).fill([1, 2]) }), [/received an array of 10001/]);
});

t.test('says where path data is wrong', async (t) => {
  const message = (d: string) => detailsFor({ ...minimal.shape, shapeType: 'path', d })[0]?.message;
  t.equal(
    message('M1 2 L3 oops'),
    'received "M1 2 L3 oops", expected SVG path data, with a number at character 9, before "oops"',
  );
  t.equal(message('M1'), 'received "M1", expected SVG path data, with a number at the end');
  t.match(
    message(`M0 0${'h1'.repeat(30_000)}`),
    /expected SVG path data, with at most 20000 segments \(an arc is up to 8\) at character 40003/,
  );
  t.match(message(`M0 0${' '.repeat(600_000)}`), /expected a string of up to 500000 characters/);
});

t.test('borders take dashes', async (t) => {
  const messages = (border: object) =>
    detailsFor({ ...minimal.shape, border }).map(({ path, message }) => `${path} ${message}`);
  t.same(messages({ dash: [4, 0, 2.5], dashOffset: -3, cap: 'round', join: 'bevel' }), []);
  t.same(messages({ dash: [] }), []);
  t.same(messages({ dash: 4 }), ['layers[0].border.dash received 4, expected an array of up to 32 lengths']);
  t.same(messages({ dash: Array(33).fill(1) }), [
    'layers[0].border.dash received an array of 33, expected an array of up to 32 lengths',
  ]);
  t.same(messages({ dash: [1, -2] }), ['layers[0].border.dash[1] received -2, expected a number from 0 to 1000000']);
  t.same(messages({ join: 'mitre' }), [
    'layers[0].border.join received "mitre", expected one of "miter", "round", "bevel" (did you mean "miter"?)',
  ]);
});

t.test('quotes and shortens the received value in messages', async (t) => {
  const received = (value: unknown) =>
    detailsFor({ ...minimal.text, opacity: value })[0].message.split(', expected')[0];
  t.equal(received(2), 'received 2');
  t.equal(received(Number.NaN), 'received NaN');
  t.equal(received('x"\n'), 'received "x\\"\\n"');
  t.equal(received([1, 2]), 'received an array of 2');
  t.equal(received({ a: 1, b: 2, c: 3, d: 4 }), 'received an object with a, b, c …');
  t.equal(received('x'.repeat(1e6)).length, 'received ""'.length + 60);
  t.equal(detailsFor({ ...minimal.text, text: null })[0].message, 'received null, expected a string');
  t.equal(detailsFor({ ...minimal.text, text: undefined })[0].message, 'received nothing, expected a string');
});

t.test('validates every colour field', async (t) => {
  const bad = '#zz';
  const paths = detailsFor(
    { ...minimal.text, color: bad, shadow: { color: bad }, stroke: { color: bad } },
    { ...minimal.image, border: { color: bad }, fallbackColor: bad },
    { ...minimal.qrcode, colorDark: bad, colorLight: bad, eyeColor: bad },
    { ...minimal.barcode, colorDark: bad, colorLight: bad },
    { ...minimal.shape, fillColor: bad, border: { color: bad } },
  ).map(({ path, message }) => {
    t.match(message, /^received "#zz", expected a CSS colour/);
    return path;
  });
  t.same(paths.sort(), [
    'layers[0].color',
    'layers[0].shadow.color',
    'layers[0].stroke.color',
    'layers[1].border.color',
    'layers[1].fallbackColor',
    'layers[2].colorDark',
    'layers[2].colorLight',
    'layers[2].eyeColor',
    'layers[3].colorDark',
    'layers[3].colorLight',
    'layers[4].border.color',
    'layers[4].fillColor',
  ]);
});

t.test('reports every fault of every layer, in order, with the caller’s ids', async (t) => {
  const layers = [
    minimal.text,
    { ...minimal.shape, id: 'dot', x: 'a', opacity: 2 },
    'no layer',
    { type: 'txet', id: 'odd' },
  ];
  const details = detailsFor(...layers);
  t.same(
    details.map(({ path, layerId }) => [path, layerId]),
    [
      ['layers[1].x', 'dot'],
      ['layers[1].opacity', 'dot'],
      ['layers[2]', undefined],
      ['layers[3].type', 'odd'],
    ],
  );
  t.equal(details[2].message, 'received "no layer", expected an object');
  t.equal(
    details[3].message,
    'received "txet", expected one of "text", "image", "qrcode", "barcode", "shape", "icon", "group", "chart", "table" (did you mean "text"?)',
  );
  t.throws(() => parseLayers(layers), {
    message:
      '3 layers are malformed: layers[1].x: received "a", expected a number from -1000000 to 1000000; and 3 more',
  });
});

t.test('uses the paths that the caller gives for layers', async (t) => {
  const origins = [{ path: 'spots.title' }];
  t.throws(() => parseLayers([{ ...minimal.text, shadow: { blur: -1 } }], { origins }), {
    message: /: spots\.title\.shadow\.blur: received -1/,
  });
});

t.test('runs the inspect function on valid layers and reports its faults with the others', async (t) => {
  const inspect = ({ type }: { type: string }) =>
    type === 'image' ? [{ code: 'invalid_url' as const, field: 'url', message: 'is odd' }] : [];
  t.equal(parseLayers([minimal.text], { inspect }).length, 1);
  try {
    parseLayers([{ ...minimal.image, id: 'logo' }, minimal.text, { ...minimal.shape, x: null }], { inspect });
    t.fail('the layers were accepted');
  } catch (error) {
    t.match(error, { message: /^2 layers are malformed/ });
    t.same((error as RenderError).details, [
      { code: 'invalid_url', path: 'layers[0].url', layerId: 'logo', message: 'is odd' },
      {
        code: 'invalid_value',
        path: 'layers[2].x',
        message: 'received null, expected a number from -1000000 to 1000000',
        expected: 'a number from -1000000 to 1000000',
      },
    ]);
  }
});

t.test('throws only RenderErrors, for any value', async () => {
  const field = fc.constantFrom(
    ...new Set(Object.values(LAYER_SCHEMAS).flatMap((schema) => Object.keys(schema.shape))),
  );
  const type = fc.constantFrom<unknown>('text', 'image', 'qrcode', 'barcode', 'shape', '__proto__', 5, undefined);
  const layer = fc.tuple(type, fc.array(fc.tuple(field, fc.anything({ withNullPrototype: true, withBigInt: true }))));
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.anything(),
          layer.map(([type, fields]) => ({ ...Object.fromEntries(fields), type })),
        ),
      ),
      (layers) => {
        try {
          return parseLayers(layers).length === layers.length;
        } catch (error) {
          return error instanceof RenderError && error.code === 'render_failed' && error.details.length > 0;
        }
      },
    ),
    { numRuns: 500 },
  );
});

// fault: 64
t.test('accepts a text of a million characters, and no longer one', (t) => {
  const layer = (length: number) => [{ type: 'text', text: 'x'.repeat(length), x: 0, y: 0, width: 1, height: 1 }];
  t.equal(parseLayers(layer(1_000_000)).length, 1);
  t.throws(() => parseLayers(layer(1_000_001)), {
    code: 'render_failed',
    details: [{ path: 'layers[0].text', message: /a string of up to 1000000 characters/ }],
  });
  t.end();
});

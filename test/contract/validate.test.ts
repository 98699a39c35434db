// Validation of payloads: errors and warnings. A valid payload gives neither.
import fc from 'fast-check';
import t from 'tap';
import { closestMatch } from '../../lib/contract/messages/closest-match.js';
import { validatePayload } from '../../lib/contract/validate.js';

const canvas = { width: 100, height: 50 };
const box = { x: 0, y: 0, width: 10, height: 10 };
const barcode = { type: 'barcode', symbology: 'ean8', x: 0, y: 0, width: 10, height: 10, data: '96385074' };
const text = { type: 'text', ...box, text: 'a' };
const image = { type: 'image', ...box, url: 'a.png' };
const shape = { type: 'shape', ...box, shapeType: 'rectangle' };

const look = (payload: unknown) => validatePayload(payload, { maxLayers: 10 });
const warningsFor = (...layers: object[]) =>
  look({ canvas, layers }).warnings.map(({ path, message }) => `${path} ${message}`);

t.test('finds nothing in valid payloads', async (t) => {
  for (const payload of [
    { canvas, layers: [text, image, shape], workspaceId: 'w', metadata: { any: 1 }, $schema: 'x' },
    { templateId: 'a', variables: { any: 1 }, quality: 50 },
    { name: 'a', ...canvas, layers: [shape], hotspots: [{ key: 'k', label: 'K', ...image, url: undefined }] },
    {
      name: 'a',
      ...canvas,
      layers: [
        { key: 'k', ...image, url: undefined },
        { key: 's', label: 'S', ...shape },
      ],
    },
  ]) {
    t.match(look(payload), { errors: [], warnings: [] });
  }
});

t.test('detects the kind of payload', async (t) => {
  t.equal(look({ canvas }).kind, 'canvas');
  t.equal(look({ templateId: 'a' }).kind, 'template request');
  t.equal(look({ hotspots: [] }).kind, 'template');
  t.equal(look({ name: 'a', ...canvas, layers: [] }).kind, 'template');
  t.equal(look({ name: 'a', ...canvas, canvas, layers: [] }).kind, 'canvas');
  t.equal(look({ ...canvas, layers: [] }).kind, 'canvas');
  t.equal(look(5).kind, 'unknown');
});

t.test('reports every error of the request and of every layer', async (t) => {
  const payload = { canvas: { width: 0 }, layers: [{ ...text, opacity: 2 }, 5, { ...shape, x: null }], quality: 101 };
  t.same(
    look(payload).errors.map(({ path }) => path),
    ['canvas.width', 'canvas.height', 'layers[1]', 'quality', 'layers[0].opacity', 'layers[2].x'],
  );
  t.same(
    look({ hotspots: [{}] }).errors.map(({ path }) => path),
    ['name', 'width', 'height', 'hotspots[0].type'],
  );
  t.same(look({}).errors.length, 1);
});

t.test('warns about fields without effect and layers that draw nothing', async (t) => {
  const rows: [object, string[]][] = [
    [{ ...text, colour: 'red' }, ['layers[0].colour is no known field and is ignored; did you mean color?']],
    [
      { ...text, zIndex: 1 },
      ['layers[0].zIndex is no known field and is ignored; layers are drawn in their order, the first at the bottom'],
    ],
    [
      { ...text, mask: 'circle' },
      ['layers[0].mask belongs to image layers; a text layer ignores it; did you mean maskImage?'],
    ],
    [
      { ...text, shadow: { offsetx: 1 } },
      ['layers[0].shadow.offsetx is no known field and is ignored; did you mean offsetX?'],
    ],
    [{ ...barcode, fontSize: 9 }, ['layers[0].fontSize has no effect without showText']],
    [{ ...barcode, fontSize: 9, showText: true }, []],
    [{ ...text, minFontSize: 4 }, ['layers[0].minFontSize has no effect without autoFit']],
    [{ ...text, minFontSize: 40, autoFit: true }, ['layers[0].minFontSize has no effect above fontSize (16)']],
    [{ ...text, borderRadius: 4 }, ['layers[0].borderRadius has no effect without backgroundColor or border']],
    [{ ...text, backgroundFit: 'line' }, ['layers[0].backgroundFit has no effect without backgroundColor or border']],
    [{ ...text, backgroundFit: 'line', backgroundColor: 'red' }, []],
    [{ ...text, text: 'a', spans: [{ text: 'b' }] }, ['layers[0].text has no effect with spans']],
    [
      {
        ...text,
        text: undefined,
        textPath: 'M0 0 H9',
        spans: [{ text: 'a' }, { text: 'b', backgroundColor: 'red', textDecoration: 'underline' }],
      },
      [
        'layers[0].spans[1].backgroundColor has no effect with textPath',
        'layers[0].spans[1].textDecoration has no effect with textPath',
      ],
    ],
    [{ ...text, textPath: 'M0 0 H9', maxLines: 1 }, ['layers[0].maxLines has no effect with textPath']],
    [
      { ...text, text: '', backgroundFit: 'text', backgroundColor: 'red' },
      ['layers[0].text is empty: the layer draws nothing'],
    ],
    [{ ...text, borderRadius: 4, backgroundColor: 'red', text: '' }, []],
    [
      { ...image, border: { dashOffset: 4, cap: 'round' } },
      ['layers[0].border.dashOffset has no effect without dash', 'layers[0].border.cap has no effect without dash'],
    ],
    [{ ...image, border: { dash: [1], dashOffset: 4, cap: 'round' } }, []],
    [{ ...image, borderRadius: 4 }, ['layers[0].borderRadius has no effect with mask "none"']],
    [{ ...image, borderRadius: 4, mask: 'rounded' }, []],
    [{ ...image, tileWidth: 4 }, ['layers[0].tileWidth has no effect without repeat "tile"']],
    [{ ...image, repeat: 'tile', tileWidth: 4, position: 'top' }, []],
    [
      { ...image, repeat: 'tile', fit: 'contain', position: 'smart' },
      [
        'layers[0].fit has no effect with repeat "tile"',
        'layers[0].position has no effect as "smart" with repeat "tile"',
      ],
    ],
    [{ ...image, fit: 'fill', position: 'top' }, ['layers[0].position has no effect with fit "fill"']],
    [{ ...shape, borderRadius: 4 }, ['layers[0].borderRadius has no effect on shapeType "rectangle"']],
    [
      { ...shape, shapeType: 'line', fillColor: 'red', border: { color: 'red' } },
      ['layers[0].fillColor has no effect on a line whose border has a color'],
    ],
    [
      { ...shape, shapeType: 'arc', innerRadius: 1, fillColor: 'red', border: { width: 1 } },
      ['layers[0].fillColor has no effect on an arc with innerRadius 1'],
    ],
    [{ ...text, opacity: 0 }, ['layers[0].opacity is 0: the layer is invisible']],
    [{ ...text, text: '' }, ['layers[0].text is empty: the layer draws nothing']],
    [{ ...shape, width: 0 }, ['layers[0].width is 0: the layer draws nothing']],
    [{ ...shape, shapeType: 'line', height: 0, border: { width: 2 } }, []],
    [{ ...text, width: 0, height: 0 }, []],
    [{ ...shape, x: 101 }, ['layers[0] lies wholly off the canvas of 100 × 50']],
    [{ ...shape, y: -11 }, ['layers[0] lies wholly off the canvas of 100 × 50']],
    [{ ...shape, y: -11, shadow: { offsetY: 5 } }, []],
    [{ ...shape, y: -11, rotation: 45 }, []],
    [{ ...shape, y: -11, filter: 'sepia()' }, ['layers[0] lies wholly off the canvas of 100 × 50']],
    [{ ...shape, y: -11, filter: 'blur(1px)' }, []],
    [{ ...shape, y: -15, filter: 'blur(1px)' }, ['layers[0] lies wholly off the canvas of 100 × 50']],
    [{ ...shape, y: -15, filter: 'blur(1px) drop-shadow(0 3px red)' }, []],
    [{ ...shape, y: -15, filter: 'blur(1px)', shadow: { offsetY: 5 } }, []],
    [{ ...shape, filter: 'blur(2px) opacity(0)' }, ['layers[0].filter has opacity(0): the layer is invisible']],
    [{ ...shape, filter: 'opacity(1%)' }, []],
    [{ ...shape, filter: 'opacity(0)', shadow: { blur: 2, spread: 2 } }, []],
    [{ ...shape, x: 99.5 }, []],
    [{ type: 'star' }, []],
  ];
  for (const [layer, expected] of rows) t.same(warningsFor(layer), expected);
});

t.test('warns about duplicate ids, and puts layer ids in warnings', async (t) => {
  t.same(look({ canvas, layers: [{ ...text, id: 'a' }, shape, { ...shape, id: 'a', fill: 1 }] }).warnings, [
    {
      code: 'unknown_field',
      path: 'layers[2].fill',
      layerId: 'a',
      message: 'is no known field and is ignored; did you mean fillColor?',
      value: 1,
      suggestion: 'fillColor',
    },
    { code: 'repeated_id', path: 'layers[2].id', layerId: 'a', message: 'is that of layers[0] too', value: 'a' },
  ]);
});

t.test('warns about the request’s own fields', async (t) => {
  const at = (payload: object) => look(payload).warnings.map(({ path }) => path);
  t.same(at({ canvas: { ...canvas, background: 'red' }, layers: [], qualty: 5, quality: 50 }), [
    'canvas.background',
    'qualty',
    'quality',
  ]);
  t.same(at({ canvas, layers: [], quality: 50, format: 'webp' }), []);
  t.same(at({ templateId: 'a', layer: [] }), ['layer']);
  t.same(
    at({ name: 'a', ...canvas, hotspots: [{ ...text, key: 'k', label: 'K', lable: 1 }], background: { colour: 1 } }),
    ['background.colour', 'hotspots[0].lable'],
  );
});

t.test('closestMatch suggests the closest known name, if one is close', async (t) => {
  const known = ['center', 'left', 'right'];
  t.equal(closestMatch('centre', known), 'center');
  t.equal(closestMatch('RIGHT', known), 'right');
  t.equal(closestMatch('rihgt', known), 'right');
  t.equal(closestMatch('justify', known), undefined);
  t.equal(closestMatch('x'.repeat(1e6), known), undefined);
});

t.test('validates any value without throwing', async () => {
  const layer = fc.record({
    type: fc.constantFrom('text', 'image', 'qrcode', 'shape'),
    x: fc.anything(),
    shadow: fc.anything(),
    border: fc.anything(),
  });
  const payload = fc.record(
    { canvas: fc.anything(), layers: fc.array(fc.oneof(layer, fc.anything())), hotspots: fc.anything() },
    { requiredKeys: [] },
  );
  fc.assert(fc.property(fc.oneof(fc.anything(), payload), (value) => look(value).errors.length >= 0));
});

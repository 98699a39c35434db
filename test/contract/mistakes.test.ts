// Mistakes that newcomers make: what they write from habit with CSS, SVG, satori, Konva, Fabric, Bannerbear and Figma. Each gives
// one error, or one warning, that says what to write instead.
import t from 'tap';
import { validate } from '../../lib/index.js';
import { unknownInBatch } from '../../lib/service/batch/input.js';

const box = { x: 0, y: 0, width: 10, height: 10 };
const text = { type: 'text', text: 'a', ...box };
const image = { type: 'image', url: 'https://example.com/a.png', ...box };
const shape = { type: 'shape', shapeType: 'rectangle', ...box };
const qrcode = { type: 'qrcode', data: 'a', x: 0, y: 0, width: 200, height: 200 };
const group = { type: 'group', ...box, layers: [shape] };
const canvas = { width: 100, height: 50 };
const drawn = (...layers: object[]) => ({ canvas, layers });

const findings = (payload: unknown) => {
  const { details, warnings } = validate(JSON.parse(JSON.stringify(payload)));
  const line = ({ path, message }: { path: string; message: string }) => `${path} ${message}`;
  return { errors: details.map(line), warnings: warnings.map(line) };
};

const fields: [layer: object, path: string, suggestion: string][] = [
  [{ ...text, align: 'center' }, 'align', 'textAlign'],
  [{ ...text, 'text-align': 'center' }, '["text-align"]', 'textAlign'],
  [{ ...text, 'font-size': 20 }, '["font-size"]', 'fontSize'],
  [{ ...text, 'background-color': 'red' }, '["background-color"]', 'backgroundColor'],
  [{ ...text, font: 'Inter' }, 'font', 'fontFamily'],
  [{ ...text, fontname: 'Inter' }, 'fontname', 'fontFamily'],
  [{ ...text, size: 20 }, 'size', 'fontSize'],
  [{ ...text, weight: 'bold' }, 'weight', 'fontWeight'],
  [{ ...text, fill: 'red' }, 'fill', 'color'],
  [{ ...text, valign: 'middle' }, 'valign', 'verticalAlign'],
  [{ ...text, lineClamp: 2 }, 'lineClamp', 'maxLines'],
  [{ ...text, strokeWidth: 2 }, 'strokeWidth', 'stroke.width'],
  [{ ...text, shadowColor: 'red' }, 'shadowColor', 'shadow'],
  [{ ...text, angle: 45 }, 'angle', 'rotation'],
  [{ ...text, alpha: 0.5 }, 'alpha', 'opacity'],
  [{ ...image, objectFit: 'cover' }, 'objectFit', 'fit'],
  [{ ...image, cornerRadius: 4 }, 'cornerRadius', 'borderRadius'],
  [{ ...shape, background: 'red' }, 'background', 'fillColor'],
  [{ ...shape, stroke: 'red' }, 'stroke', 'border'],
  [{ ...shape, 'stroke-width': 2 }, '["stroke-width"]', 'border.width'],
  [{ ...shape, rx: 4 }, 'rx', 'borderRadius'],
  [{ ...shape, shapeType: 'circle', radius: 4 }, 'radius', 'width and height'],
  [{ ...shape, shapeType: 'line', x1: 4 }, 'x1', 'x, y, width and height'],
  [{ ...shape, color: 'red' }, 'color', 'fillColor'],
  [{ ...qrcode, color: 'red' }, 'color', 'colorDark'],
  [{ ...qrcode, ecc: 'H' }, 'ecc', 'errorCorrectionLevel'],
  [{ ...group, flexDirection: 'column' }, 'flexDirection', 'layout'],
  [{ ...group, direction: 'column' }, 'direction', 'layout'],
  [{ ...group, background: 'red' }, 'background', 'backgroundColor'],
  [{ ...text, shadow: { radius: 2 } }, 'shadow.radius', 'blur'],
];

t.test('suggests our name for the field of another tool', async (t) => {
  for (const [layer, path, suggestion] of fields) {
    const { errors, warnings } = findings(drawn(layer));
    t.same(errors, [], JSON.stringify(layer));
    const at = path.startsWith('[') ? `layers[0]${path}` : `layers[0].${path}`;
    t.equal(warnings.length, 1, JSON.stringify(layer));
    t.ok(warnings[0]?.startsWith(`${at} `) && warnings[0].endsWith(`; did you mean ${suggestion}?`), warnings[0]);
  }
});

t.test('suggests the place of a field of the payload', async (t) => {
  const rows: [payload: object, path: string, suggestion: string][] = [
    [{ ...drawn(text), width: 100 }, 'width', 'canvas.width'],
    [{ ...drawn(text), backgroundColor: 'red' }, 'backgroundColor', 'canvas.backgroundColor'],
    [{ ...drawn(text), type: 'png' }, 'type', 'format'],
    [{ canvas: { ...canvas, background: 'red' }, layers: [text] }, 'canvas.background', 'backgroundColor'],
    [{ canvas: { ...canvas, dpr: 2 }, layers: [text] }, 'canvas.dpr', 'scale'],
    [{ templateId: 'a', modifications: [] }, 'modifications', 'variables'],
    [{ name: 'a', ...canvas, layers: [text], backgroundColor: 'red' }, 'backgroundColor', 'background.color'],
  ];
  for (const [payload, path, suggestion] of rows) {
    const message = `${path} is no known field and is ignored; did you mean ${suggestion}?`;
    t.same(findings(payload), { errors: [], warnings: [message] });
  }
  t.match(findings(drawn({ ...text, zIndex: 2 })).warnings[0], /drawn in their order, the first at the bottom$/);
});

t.test('says in the error which field is to be renamed or moved', async (t) => {
  const rows: [payload: object, error: RegExp][] = [
    [drawn({ ...image, url: undefined, src: 'a' }), /^layers\[0\]\.url received nothing, .*\(rename src to url\)$/],
    [drawn({ ...image, url: undefined, href: 'a' }), /\(rename href to url\)$/],
    [drawn({ ...text, text: undefined, content: 'a' }), /^layers\[0\]\.text .*\(rename content to text\)$/],
    [drawn({ ...text, text: undefined, value: 'a' }), /\(rename value to text\)$/],
    [drawn({ ...qrcode, data: undefined, text: 'a' }), /^layers\[0\]\.data .*\(rename text to data\)$/],
    [drawn({ ...shape, x: undefined, left: 1 }), /^layers\[0\]\.x .*\(rename left to x\)$/],
    [drawn({ ...shape, shapeType: undefined, shape: 'circle' }), /\(rename shape to shapeType\)$/],
    [drawn({ ...group, layers: undefined, children: [] }), /^layers\[0\]\.layers .*\(rename children to layers\)$/],
    [drawn({ ...shape, type: undefined, kind: 'shape' }), /^layers\[0\]\.type .*\(rename kind to type\)$/],
    [{ ...canvas, layers: [text] }, /^canvas received nothing, .*\(move width and height into canvas\)$/],
    [{ ...canvas, elements: [text] }, /\(rename elements to layers\)$/],
    [{ template: 'a' }, /\(rename template to templateId\)$/],
    [{ canvas, elements: [text] }, /^layers received nothing, .*\(rename elements to layers\)$/],
  ];
  for (const [payload, error] of rows) {
    const { errors } = findings(payload);
    t.equal(errors.length, 1, errors.join('\n'));
    t.match(errors[0], error);
  }
});

t.test('says in the error what to write in place of a value', async (t) => {
  const rows: [layer: object, path: string, hint: string][] = [
    [{ ...text, type: 'rect' }, 'type', '(did you mean "shape" with "shapeType": "rectangle"?)'],
    [{ ...text, type: 'img' }, 'type', '(did you mean "image"?)'],
    [{ ...text, type: 'div' }, 'type', '(did you mean "group"?)'],
    [{ ...text, type: 'span' }, 'type', '(did you mean "text"?)'],
    [{ ...shape, shapeType: 'rect' }, 'shapeType', '(did you mean "rectangle"?)'],
    [{ ...shape, shapeType: 'ellipse' }, 'shapeType', '(did you mean "circle"?)'],
    [{ ...text, color: 'bluu' }, 'color', '(did you mean "blue"?)'],
    [{ ...text, color: 'ff8800' }, 'color', '(did you mean "#ff8800"?)'],
    [{ ...shape, fillColor: 'none' }, 'fillColor', '(did you mean "transparent"?)'],
    [{ ...text, fontSize: '24px' }, 'fontSize', '(write 24)'],
    [{ ...text, fontSize: '24' }, 'fontSize', '(write 24)'],
    [{ ...text, x: '10px' }, 'x', '(write 10)'],
    [{ ...text, width: '200px' }, 'width', '(write 200)'],
    [{ ...text, opacity: '50%' }, 'opacity', '(write 0.5)'],
    [{ ...text, opacity: 50 }, 'opacity', '(write 0.5)'],
    [{ ...text, rotation: '45deg' }, 'rotation', '(write 45)'],
    [{ ...text, lineHeight: '150%' }, 'lineHeight', '(write 1.5)'],
    [{ ...text, fontWeight: 'semibold' }, 'fontWeight', '(write "600")'],
    [{ ...text, textAlign: 'centre' }, 'textAlign', '(did you mean "center"?)'],
    [{ ...text, verticalAlign: 'center' }, 'verticalAlign', '(did you mean "middle"?)'],
    [{ ...text, text: 42 }, 'text', '(write "42")'],
    [{ ...text, wrap: 'false' }, 'wrap', '(write false)'],
    [{ ...text, stroke: 'red' }, 'stroke', '(write { "color": "red" })'],
    [
      { ...text, shadow: '0 2px 4px black' },
      'shadow',
      '(write { "offsetX": 0, "offsetY": 2, "blur": 4, "color": "black" })',
    ],
    [{ ...image, border: '2px solid red' }, 'border', '(write { "width": 2, "color": "red" })'],
    [{ ...image, fit: 'crop' }, 'fit', '(did you mean "cover"?)'],
    [{ ...group, layout: 'vertical' }, 'layout', '(did you mean "column"?)'],
    [{ ...shape, shapeType: 'path', d: 'M0 0', viewBox: '0 0 24 24' }, 'viewBox', '(write [0, 0, 24, 24])'],
  ];
  for (const [layer, path, hint] of rows) {
    const { errors } = findings(drawn(layer));
    t.equal(errors.length, 1, `${JSON.stringify(layer)}: ${errors.join('\n')}`);
    t.ok(errors[0]?.startsWith(`layers[0].${path} received `) && errors[0].endsWith(` ${hint}`), errors[0]);
  }
  const outputs: [payload: object, error: RegExp][] = [
    [{ ...drawn(text), format: 'PNG' }, /^format .*\(did you mean "png"\?\)$/],
    [{ ...drawn(text), quality: 0.8 }, /^quality .*\(write 80\)$/],
    [{ canvas: { width: '100px', height: 50 }, layers: [] }, /^canvas\.width .*\(write 100\)$/],
  ];
  for (const [payload, error] of outputs) t.match(findings(payload).errors, [error]);
});

t.test('reports no fault that follows from another', async (t) => {
  const auto = { width: 'auto', height: 'auto' };
  const items = [
    { type: 'text', text: 'a', width: 'fill', height: 'auto', grow: 1 },
    { type: 'text', text: 'b', width: '50%', height: 'auto' },
    { type: 'shape', shapeType: 'rectangle', width: 10, height: 10 },
  ];
  const list = { ...group, ...auto, gap: 4, layers: items };
  t.same(findings(drawn({ ...list, layout: { direction: 'column' } })), {
    errors: [
      'layers[0].layout received an object with direction, expected one of "none", "row", "column", "block", "grid", "table" (write "column")',
    ],
    warnings: [],
  });
  t.same(
    findings(drawn(list)).errors,
    ['layers[0].layout received nothing, expected "row", "column" or "grid", or x and y in each of its layers'],
    'a layout that is missing',
  );
  t.same(findings(drawn({ ...list, layout: 'column' })), { errors: [], warnings: [] });
  t.equal(findings(drawn({ ...list, layout: 'none' })).errors.length, 10, 'without a layout each layer needs a place');
  const own = { ...list, layout: 'colum', layers: [{ ...items[0], width: -1 }] };
  t.match(findings(drawn(own)).errors, [
    /layout .*did you mean "column"/,
    /^layers\[0\]\.layers\[0\]\.width received -1/,
  ]);
  const hotspots = [{ key: 'k', label: 'K', ...list, layout: { direction: 'row' } }];
  t.equal(findings({ name: 'a', ...canvas, hotspots }).errors.length, 1, 'in a template');
});

t.test('says it for programs too', async (t) => {
  const [wrong] = validate(drawn({ ...text, opacity: '50%' })).details;
  t.same(wrong, {
    code: 'invalid_value',
    path: 'layers[0].opacity',
    message: 'received "50%", expected a number from 0 to 1 (write 0.5)',
    value: '50%',
    expected: 'a number from 0 to 1',
    suggestion: 0.5,
  });
  const rows: [layer: object, suggestion: unknown, expected?: string][] = [
    [{ ...text, textAlign: 'centre' }, 'center'],
    [{ ...image, fit: 'crop' }, 'cover'],
    [{ ...text, wrap: 'no' }, false, 'true or false'],
    [{ ...text, text: 42 }, '42', 'a string'],
    [{ ...text, color: 'bluu' }, 'blue'],
    [{ ...text, backgroundColor: 'bluu' }, 'blue'],
    [{ ...text, fontWeight: 'semibold' }, '600'],
    [{ ...text, textDecoration: 'underlin' }, 'underline'],
    [{ ...text, type: 'rect' }, 'shape'],
    [{ ...text, x: '10px' }, 10],
    // no single value
    [{ ...image, border: '2px solid red' }, undefined, 'an object'],
    [{ ...image, url: undefined, src: 'a' }, undefined, 'a string'],
  ];
  for (const [layer, suggestion, expected] of rows) {
    const [detail] = validate(drawn(layer)).details;
    t.equal(detail?.suggestion, suggestion, JSON.stringify(detail));
    if (expected !== undefined) t.equal(detail?.expected, expected);
  }
});

t.test('every object suggests the nearest of its fields', async (t) => {
  const star = { ...shape, shapeType: 'star', points: 5, borderr: {} };
  const payload = {
    canvas: { ...canvas, widht: 3 },
    layers: [
      { ...text, spans: [{ text: 'a', colr: 'red' }], fontSzie: 3, shadow: { blurr: 1 }, stroke: { widht: 2 } },
      { ...image, crop: { x: 0, y: 0, width: 1, height: 1, heigth: 2 } },
      { ...group, layers: [star], gpa: 3 },
    ],
    qualty: 3,
  };
  const template = {
    name: 'a',
    ...canvas,
    plaecholders: true,
    background: { colr: 'red' },
    hotspots: [{ ...text, key: 'k', label: 'K', colr: 'red' }],
    sizes: { s: { ...canvas, widht: 3 } },
    samples: [{ name: 'n', variables: {}, sizee: 's' }],
  };
  const suggested = (record: object) =>
    validate(JSON.parse(JSON.stringify(record))).warnings.flatMap(({ code, path, suggestion }) =>
      code === 'unknown_field' ? [`${path} ${suggestion}`] : [],
    );
  t.same(suggested(payload).sort(), [
    'canvas.widht width',
    'layers[0].fontSzie fontSize',
    'layers[0].shadow.blurr blur',
    'layers[0].spans[0].colr color',
    'layers[0].stroke.widht width',
    'layers[1].crop.heigth height',
    'layers[2].gpa gap',
    'layers[2].layers[0].borderr border',
    'qualty quality',
  ]);
  t.same(suggested(template).sort(), [
    'background.colr color',
    'hotspots[0].colr color',
    'plaecholders placeholders',
    'samples[0].sizee size',
    'sizes.s.widht width',
  ]);
  t.same(
    [...unknownInBatch({ templateId: 'a', rows: [{ variables: {}, nmae: 'x' }], fromat: 'png' })].map(
      ({ path, suggestion }) => `${path} ${suggestion}`,
    ),
    ['rows[0].nmae name', 'fromat format'],
  );
});

t.test('repeats no long text, data URL or secret', async (t) => {
  const key = `svc_live_${'0'.repeat(64)}`;
  for (const value of [
    'x'.repeat(101),
    'data:text/plain,a',
    ' DATA:,a',
    'https://a:secret@example.com/',
    key,
    [1],
    {},
  ]) {
    t.notOk('value' in validate(drawn({ ...text, opacity: value })).details[0]!, String(value));
  }
  t.equal(validate(drawn({ ...text, opacity: 'x'.repeat(100) })).details[0]?.value, 'x'.repeat(100));
  t.equal(validate(drawn({ ...text, opacity: true })).details[0]?.value, true);
});

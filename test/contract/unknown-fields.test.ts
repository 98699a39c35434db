// Warnings about unknown fields: path and suggestion. Known and tolerated fields give none.
import t from 'tap';
import { limitWarnings, MAX_WARNINGS } from '../../lib/contract/messages/issues.js';
import {
  unknownInFixedLayer,
  unknownInHotspot,
  unknownInLayer,
  unknownInRequest,
  unknownInTemplate,
} from '../../lib/contract/unknown-fields.js';
import type { Warning } from '../../lib/errors.js';

const lines = (warnings: Iterable<Warning>) => [...warnings].map(({ path, message }) => `${path} ${message}`);
const IGNORED = 'is no known field and is ignored';

t.test('finds unknown fields in requests of both shapes', async (t) => {
  t.same(lines(unknownInRequest({ canvas: { widht: 1, width: 1 }, layer: [], fromat: 'png' }, 'canvas')), [
    `canvas.widht ${IGNORED}; did you mean width?`,
    `layer ${IGNORED}; did you mean layers?`,
    `fromat ${IGNORED}; did you mean format?`,
  ]);
  t.same(lines(unknownInRequest({ templateId: 'a', vars: {}, canvas: {} }, 'template')), [
    `vars ${IGNORED}; did you mean variables?`,
    `canvas ${IGNORED}`,
  ]);
  t.same(lines(unknownInRequest({ metadata: { any: 1 }, variables: { any: { any: 1 } } }, 'template')), []);
  t.same(lines(unknownInRequest({ templateId: 'a', templateVersion: 2 }, 'template')), []);
  t.same(lines(unknownInRequest(5, 'canvas')), []);
});

t.test('finds unknown fields in layers of every type and in their nested objects', async (t) => {
  const rows: [Record<string, unknown>, string[]][] = [
    [{ type: 'text', fontsize: 5 }, [`l.fontsize ${IGNORED}; did you mean fontSize?`]],
    [{ type: 'text', colour: 'red' }, [`l.colour ${IGNORED}; did you mean color?`]],
    [{ type: 'text', shadow: { opacity: 1 } }, [`l.shadow.opacity ${IGNORED}`]],
    [{ type: 'text', shadow: [{ blur: 1 }, { blurr: 1 }] }, [`l.shadow[1].blurr ${IGNORED}; did you mean blur?`]],
    [{ type: 'text', stroke: { widht: 1 } }, [`l.stroke.widht ${IGNORED}; did you mean width?`]],
    [{ type: 'text', textDecoration: { colour: 1 } }, [`l.textDecoration.colour ${IGNORED}; did you mean color?`]],
    [{ type: 'text', textDecoration: 'underline' }, []],
    [
      { type: 'text', spans: [{ text: 'a' }, { text: 'b', colour: 1 }] },
      [`l.spans[1].colour ${IGNORED}; did you mean color?`],
    ],
    [
      { type: 'text', spans: [{ stroke: { widht: 1 }, textDecoration: { lien: 1 } }] },
      [
        `l.spans[0].stroke.widht ${IGNORED}; did you mean width?`,
        `l.spans[0].textDecoration.lien ${IGNORED}; did you mean line?`,
      ],
    ],
    [
      { type: 'text', markupStyles: { strong: { colour: 1 }, stong: {}, em: { stroke: { colour: 1 } } } },
      [
        `l.markupStyles.strong.colour ${IGNORED}; did you mean color?`,
        `l.markupStyles.stong ${IGNORED}; did you mean strong?`,
        `l.markupStyles.em.stroke.colour ${IGNORED}; did you mean color?`,
      ],
    ],
    [{ type: 'text', fontFeatures: { tnum: 1, zzzz: 1 }, fontVariations: { wght: 1, ABCD: 1 } }, []],
    [{ type: 'qrcode', logo: { sice: 1 } }, [`l.logo.sice ${IGNORED}; did you mean size?`]],
    [{ type: 'group', layers: [{ type: 'text', spans: [{ colour: 1 }] }] }, []],
    [{ type: 'image', border: { colour: 1 } }, [`l.border.colour ${IGNORED}; did you mean color?`]],
    [{ type: 'shape', border: { 'a b': 1 } }, [`l.border["a b"] ${IGNORED}`]],
    [{ type: 'image', colorDark: 1 }, ['l.colorDark belongs to qrcode and barcode layers; an image layer ignores it']],
    [{ type: 'text', key: 'k', label: 'L' }, [`l.key ${IGNORED}`, `l.label ${IGNORED}`]],
    [{ type: 'star', any: 1 }, []],
    [{ type: 'text', colour: null, mask: undefined, shadow: null }, []],
    [{ type: 'text', shadow: 'none', stroke: ['a'] }, []],
  ];
  for (const [raw, expected] of rows) t.same(lines(unknownInLayer(raw, 'l')), expected, JSON.stringify(raw));
  t.same([...unknownInLayer({ type: 'text', id: 'a', fill: 1 }, 'layers[0]')][0].layerId, 'a');
});

t.test('finds unknown fields in templates, backgrounds and hotspots', async (t) => {
  t.same(lines(unknownInTemplate({ hotspot: [], background: { colour: 1 }, format: 'png' })), [
    `hotspot ${IGNORED}; did you mean hotspots?`,
    `background.colour ${IGNORED}; did you mean color?`,
    `format ${IGNORED}`,
  ]);
  t.same(lines(unknownInHotspot({ type: 'text', key: 'k', label: 'L', lable: 'L' }, 'h')), [
    `h.lable ${IGNORED}; did you mean label?`,
  ]);
  t.same(lines(unknownInHotspot({ type: 'shape', key: 'k', label: 'L', text: 1 }, 'h')), [
    'h.text belongs to text layers; a shape layer ignores it',
  ]);
  t.same(lines(unknownInFixedLayer({ type: 'text', key: null, label: 'L', size: 1 }, 'l')), [
    `l.size ${IGNORED}; did you mean fontSize?`,
    'l.label has no effect without a key',
  ]);
  t.same(lines(unknownInHotspot({ fontsize: 1 }, '', 'text')), [`fontsize ${IGNORED}; did you mean fontSize?`]);
});

t.test('tolerates workspaceId, id, name and $schema everywhere', async (t) => {
  const tolerated = { workspaceId: 'w', id: 'i', name: 'n', $schema: 's' };
  t.same([...unknownInRequest({ ...tolerated, canvas: tolerated }, 'canvas')], []);
  t.same([...unknownInRequest(tolerated, 'template')], []);
  t.same([...unknownInTemplate({ ...tolerated, background: tolerated })], []);
  t.same([...unknownInLayer({ ...tolerated, type: 'text', shadow: tolerated }, 'l')], []);
});

t.test('stops after a hundred warnings', async (t) => {
  let asked = 0;
  function* endless(): Generator<Warning> {
    for (;;) yield { code: 'unknown_field', path: `p${asked++}`, message: 'm' };
  }
  const one: Warning = { code: 'unknown_field', path: 'first', message: 'm' };
  const warnings = limitWarnings([one], endless());
  t.equal(warnings.length, MAX_WARNINGS);
  t.equal(asked, MAX_WARNINGS);
  t.same(warnings[0], one);
  t.same(warnings.at(-1), {
    code: 'too_many_warnings',
    path: '',
    message: 'there are more than 100 warnings; the rest is left out',
  });
  t.same(limitWarnings(warnings), warnings, 'does not change a full list');
  const exact = Array.from({ length: MAX_WARNINGS }, () => one);
  t.same(limitWarnings(exact), exact);
  t.same(limitWarnings(exact, []), exact);
});

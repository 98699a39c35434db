// Content far off-screen is invisible and does not prevent rendering.
import t from 'tap';
import { decodeImage } from '../../../lib/codecs/index.js';
import { extendsOffscreen } from '../../../lib/codecs/svg/offscreen.js';

const svg = (body: string, more = 'width="40" height="40"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${more}>${body}</svg>`;
const drawn = async (body: string, more?: string) =>
  Buffer.from((await decodeImage(Buffer.from(svg(body, more)))).words.buffer);

const VISIBLE =
  '<g opacity=".5"><path d="M3 3h20v20" stroke="red" stroke-dasharray="3 1"/></g><text x="5" y="30" font-size="9">Abc</text>';
const DEFS = `<defs><clipPath id="c"><circle r="5"/></clipPath><mask id="k"><rect width="9" height="9" fill="#fff"/></mask>
  <filter id="f"><feGaussianBlur stdDeviation="2"/></filter><marker id="m"><rect width="3" height="3"/></marker>
  <symbol id="s" viewBox="0 0 9 9"><circle r="20"/></symbol></defs>`;
const RECT = 'width="9" height="9"';

// fault: 53
t.test('renders with off-screen content in groups that need a layer', async (t) => {
  const expected = await drawn(`${DEFS}${VISIBLE}`);
  for (const [name, body] of Object.entries({
    opacity: `<rect x="400" ${RECT} opacity=".5"/>`,
    'to the left': `<rect x="-400" ${RECT} opacity=".5"/>`,
    'above, in a group': `<g transform="translate(0 -999)" style="mix-blend-mode:multiply"><rect ${RECT}/></g>`,
    below: `<g opacity=".5"><rect y="990" ${RECT}/></g>`,
    'a clip path': `<g transform="translate(400)"><rect ${RECT} clip-path="url(#c)"/></g>`,
    'a mask': `<g transform="rotate(90) translate(400)"><rect ${RECT} mask="url(#k)"/></g>`,
    'a filter': `<rect x="400" ${RECT} filter="url(#f)"/>`,
    'a filter on a rotated path': `<path clip-path="url(#nothing)" transform="matrix(0 .9 -1 0 20 400)" filter="url(#f)" d="M0 0h9v9z"/>`,
    'a marker': '<path d="M900 900h9" stroke="red" marker-end="url(#m)"/>',
    'a symbol': '<use xlink:href="#s" x="400" width="30" height="30"/>',
    'a nested SVG': '<svg x="400" width="9" height="9"><circle r="20"/></svg>',
    'a text': '<g opacity=".3"><text x="400" y="9">far</text></g>',
    'nested groups': `<g opacity=".5"><g opacity=".5" transform="scale(10)"><g clip-path="url(#c)"><rect x="99" ${RECT}/></g></g></g>`,
  })) {
    t.ok((await drawn(`${DEFS}${body}${VISIBLE}`)).equals(expected), name);
    t.ok((await drawn(`${DEFS}${VISIBLE}${body}`)).equals(expected), `${name}, drawn last`);
  }
});

t.test('leaves visible content unchanged', async (t) => {
  const far = `<rect x="4000" ${RECT} opacity=".5"/>`;
  for (const [name, body, more] of [
    ['half visible', `<g opacity=".5"><rect ${RECT}/><rect x="4000" ${RECT}/></g>`, undefined],
    [
      'brought back by a filter',
      `<filter id="b" x="-20" width="40"><feOffset dx="-60"/></filter><rect x="70" ${RECT} filter="url(#b)"/>`,
      undefined,
    ],
    [
      'brought back by a filter around it',
      `<filter id="b" filterUnits="userSpaceOnUse" x="-5" y="0" width="80" height="40"><feOffset dx="-45"/></filter>
        <g filter="url(#b)"><g opacity=".5"><rect x="50" ${RECT}/><rect x="51" ${RECT}/></g></g>`,
      undefined,
    ],
    [
      'a viewBox that starts elsewhere',
      `<rect x="500" y="500" ${RECT} opacity=".5"/>`,
      'width="40" height="40" viewBox="490 490 40 40"',
    ],
    [
      'a viewBox of another ratio',
      `<rect x="32" ${RECT} opacity=".5"/>`,
      'width="40" height="40" viewBox="0 0 40 10" preserveAspectRatio="xMaxYMin slice"',
    ],
  ] as const) {
    const alone = await drawn(body, more);
    t.ok(alone.some(Boolean), name);
    t.ok((await drawn(body + far, more)).equals(alone), name);
  }
});

t.test('does not reparse SVGs without far content', (t) => {
  t.notOk(extendsOffscreen([-70, -30, 70, 30], 40, 20));
  t.ok(extendsOffscreen([-70, -30, 80, 30], 40, 20));
  t.ok(extendsOffscreen([0, Number.NaN, 1, 1], 40, 20));
  t.end();
});

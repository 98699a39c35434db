// Bodies of icons: which elements they have, and what is refused.
import t from 'tap';
import { readBody } from '../../lib/icons/body.js';
import { IconError } from '../../lib/icons/error.js';
import { partsOf } from '../../lib/icons/parts.js';

t.test('reads paths, basic shapes and groups', async (t) => {
  const [group, line] = readBody(` <g fill="none">\n<path d='M0 0h1'/><circle r="1"></circle></g><line x2="3"/> `);
  t.equal(group.name, 'g');
  t.same(
    group.children.map(({ name, attributes }) => [name, [...attributes]]),
    [
      ['path', [['d', 'M0 0h1']]],
      ['circle', [['r', '1']]],
    ],
  );
  t.same([...line.attributes], [['x2', '3']]);
  t.same(readBody(''), []);
});

/** Bodies with what they must be refused for. */
const HOSTILE: readonly (readonly [body: string, message: RegExp])[] = [
  ['<image href="http://localhost/"/>', /received <image>, expected path, rect.* and g alone/],
  ['<script>alert(1)</script>', /received <script>/],
  ['<g><script/></g>', /received <script>/],
  ['<use href="#a"/>', /received <use>/],
  ['<use xlink:href="file:///etc/passwd#a"/>', /received <use>/],
  ['<foreignObject/>', /received <foreignObject>/],
  ['<style>*{fill:red}</style>', /received <style>/],
  ['<animate/>', /received <animate>/],
  ['<defs><path id="a"/></defs>', /received <defs>/],
  ['<a href="javascript:alert(1)"/>', /received <a>/],
  ['<G/>', /received <G>/],
  ['<svg:path d="M0 0"/>', /received <svg:path>/],
  ['<path><path d="M0 0"/></path>', /<path> has content, expected none/],
  ['<path>text</path>', /<path> has content/],
  ['text', /malformed at character 1/],
  ['<path d="M0 0"/>text', /malformed at character 17/],
  ['<!DOCTYPE svg [<!ENTITY a "b">]>', /malformed at character 1/],
  ['<!-- c --><path/>', /malformed at character 1/],
  ['<?xml version="1.0"?>', /malformed at character 1/],
  ['<![CDATA[<path/>]]>', /malformed at character 1/],
  ['<path d="&lt;"/>', /malformed/],
  ['<path d=M0/>', /malformed/],
  ['<path d="M0 0>', /malformed/],
  ['<g>', /<g> is not closed/],
  ['</g>', /malformed at character 5/],
  ['<g></path></g>', /malformed at character 11/],
  ['<g>'.repeat(20) + '</g>'.repeat(20), /more than 8 elements inside each other/],
  ['<path/>'.repeat(1001), /more than 1000 elements/],
  [`<path d="${' '.repeat(200_000)}"/>`, /has 200012 characters, expected at most 200000/],
];

/** The same for what attributes say. */
const HOSTILE_ATTRIBUTES: readonly (readonly [body: string, message: RegExp])[] = [
  [
    '<path d="M0 0" onload="alert(1)"/>',
    /received "onload" of <path>, expected attributes of geometry and paint alone/,
  ],
  ['<path d="M0 0" style="fill:red"/>', /received "style"/],
  ['<path d="M0 0" filter="url(#a)"/>', /received "filter"/],
  ['<path d="M0 0" mask="url(#a)"/>', /received "mask"/],
  ['<g clip-path="url(#a)"/>', /received "clip-path" of <g>/],
  ['<path d="M0 0" fill="url(http://localhost/#a)"/>', /fill of <path>: received "url.*, expected a colour/],
  ['<path d="M0 0" stroke="var(--a)"/>', /stroke of <path>: received "var/],
  ['<path d="L0 0"/>', /d of <path>: expected a moveto \(M\) first at character 1/],
  ['<path d="M0 0L1"/>', /d of <path>: expected a number at character 7/],
  [`<path d="M0 0${'h1'.repeat(20_001)}"/>`, /at most 20000 segments/],
  ['<rect width="1e9" height="1"/>', /width of <rect>: received "1e9", expected a number up to 1000000/],
  ['<rect width="100%" height="1"/>', /width of <rect>: received "100%"/],
  ['<circle r="NaN"/>', /r of <circle>/],
  ['<polygon points="0 0 1"/>', /points of <polygon>: expected pairs/],
  ['<polyline points="0 0 a b"/>', /points of <polyline>: received "0 0 a b", expected numbers/],
  ['<g transform="spin(3)"/>', /transform of <g>: received "spin\(3\)", expected a list of transforms/],
  ['<g transform="matrix(1)"/>', /transform of <g>/],
  ['<g transform="translate(1) junk"/>', /transform of <g>/],
  [`<g transform="${'scale(2)'.repeat(33)}"/>`, /transform of <g>/],
  ['<path d="M0 0h1" stroke="#000" transform="scale(1 2)"/>', /has a line that a transform stretches/],
  ['<path d="M0 0h1" stroke="#000" stroke-dasharray="-1"/>', /stroke-dasharray of <path>: expected up to 32 lengths/],
];

function faultOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

t.test('refuses elements that are no shapes, text, and what is malformed or huge', async (t) => {
  const faults = [
    ...HOSTILE.map(([body, message]) => ({ body, message, fault: faultOf(() => readBody(body)) })),
    ...HOSTILE_ATTRIBUTES.map(([body, message]) => ({ body, message, fault: faultOf(() => partsOf(body)) })),
  ];
  for (const { body, message, fault } of faults) {
    const name = body.slice(0, 60);
    if (!(fault instanceof IconError)) {
      t.fail(name);
      continue;
    }
    t.match(fault.message, message, name);
    t.ok(fault.message.length < 200 && !fault.message.includes('\n'), 'is a line');
  }
});

t.test('takes linear time for any body', async (t) => {
  const bodies = [
    '<'.repeat(199_999),
    `<path${' '.repeat(199_000)}`,
    `<path ${'a="" '.repeat(39_000)}`,
    '<g '.repeat(60_000),
  ];
  const began = performance.now();
  for (const body of bodies) t.ok(faultOf(() => partsOf(body)) instanceof IconError);
  t.ok(performance.now() - began < 2000);
});

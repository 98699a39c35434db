// SVGs that would take too much time or memory are rejected before rendering; ordinary ones with the same features are
// not.
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { decodeImage } from '../../../lib/codecs/index.js';
import { sample } from '../../exhaustive.js';

const repeat = (count: number, part: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => part(i)).join('');
const svg = (body: string, side = 40, more = '') =>
  new TextEncoder().encode(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${side}" height="${side}" ${more}>${body}</svg>`,
  );
const data = (text: string | Uint8Array) => `data:image/svg+xml;base64,${Buffer.from(text).toString('base64')}`;
const RECT = '<rect width="40" height="40"/>';
/** `levels` groups, each drawing the previous one ten times. */
const tens = (levels: number, href = 'href') =>
  `<defs><g id="a0">${RECT}</g>${repeat(levels, (i) => `<g id="a${i + 1}">${`<use ${href}="#a${i}"/>`.repeat(10)}</g>`)}</defs>
  <use ${href}="#a${levels}"/>`;

async function refused(t: Test, cases: Record<string, [Uint8Array, RegExp]>): Promise<void> {
  for (const [name, [bytes, message]] of Object.entries(cases)) {
    await t.rejects(decodeImage(bytes), { name: 'RenderError', code: 'render_failed', message }, name);
  }
}

/** Asserts that each renders and is not empty; the normal run takes a sample, since each takes a while. */
async function drawn(t: Test, cases: Record<string, Uint8Array>): Promise<void> {
  for (const [name, bytes] of sample(Object.entries(cases), 4)) {
    t.ok((await decodeImage(bytes)).words.some(Boolean), name);
  }
}

// fault: 53
t.test('counts elements as often as they are drawn', async (t) => {
  const many = /draws more than 100000 elements and characters of text/;
  const line = `<path d="M0 0${repeat(3000, (i) => `L${i % 40} 9`)}" stroke="#000" marker-mid="url(#m)"/>`;
  await refused(t, {
    '10^17 elements': [svg(tens(17)), many],
    'by xlink:href': [svg(tens(17, 'xlink:href')), many],
    'by references with character references': [svg(tens(6, 'href').replaceAll('"#a', '"&#35;a')), many],
    'a pattern of patterns': [
      svg(
        `${repeat(6, (i) => `<pattern id="p${i}" width="9" height="9">${`<rect width="9" height="9" fill="url(#p${i + 1})"/>`.repeat(10)}</pattern>`)}
        <rect width="9" height="9" fill="url(#p0)"/>`,
      ),
      many,
    ],
    'a mask for each child of a mask': [
      svg(
        `${repeat(6, (i) => `<mask id="m${i}">${`<rect width="9" height="9" mask="url(#m${i + 1})"/>`.repeat(10)}</mask>`)}
        <rect width="9" height="9" mask="url(#m0)"/>`,
      ),
      many,
    ],
    'a marker at each vertex': [svg(`<marker id="m">${RECT.repeat(40)}</marker>${line}`), many],
    'an inherited marker': [
      svg(`<marker id="m">${RECT.repeat(40)}</marker><g style="marker: url(#m)">${line}</g>`),
      many,
    ],
    'in an embedded SVG': [svg(`<image width="9" height="9" href="${data(Buffer.from(svg(tens(9))))}"/>`), many],
    'by a link with a character reference': [
      svg(
        `<image width="9" height="9" href="&#100;ata:image/svg+xml,${encodeURIComponent(Buffer.from(svg(tens(9))).toString())}"/>`,
      ),
      many,
    ],
    'an embedded SVG drawn too often': [
      svg(
        `<image id="i" width="9" height="9" href="${data(Buffer.from(svg(RECT.repeat(2000))))}"/>${'<use href="#i"/>'.repeat(60)}`,
      ),
      many,
    ],
    'too many elements': [svg('<g/>'.repeat(250_001)), /more than 250000 elements/],
  });
  await drawn(t, {
    '1000 elements': svg(tens(3)),
    'two thousand rectangles': svg(RECT.repeat(2000)),
    'markers, patterns, masks': svg(
      `<marker id="m">${RECT}</marker><pattern id="p" width=".1" height=".1">${RECT}</pattern><mask id="k">${RECT}</mask>
      <path d="M0 0L9 9L9 0" marker-mid="url(#m)"/><rect width="30" height="30" fill="url(#p)"/><rect width="9" height="9" mask="url(#k)"/>`,
    ),
    'an embedded SVG': svg(`<image width="40" height="40" href="${data(Buffer.from(svg(RECT)))}"/>`),
  });
});

// fault: 53
t.test('limits depth and rejects reference cycles', async (t) => {
  const circle = /element references itself/;
  await refused(t, {
    'groups in groups': [svg('<g>'.repeat(300) + '</g>'.repeat(300)), /nested more than 256 levels deep/],
    'groups by reference': [
      svg(`<g id="a0">${RECT}</g>${repeat(300, (i) => `<g id="a${i + 1}"><use href="#a${i}"/></g>`)}`),
      /references are nested more than 256 levels deep/,
    ],
    'a use of itself': [svg('<g id="a"><use href="#a"/></g>'), circle],
    'two elements that use each other': [svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'), circle],
    'a pattern of itself': [
      svg(
        `<pattern id="p" width="9" height="9"><rect width="9" height="9" fill="url(#p)"/></pattern><rect width="9" height="9" fill="url('#p')"/>`,
      ),
      circle,
    ],
    'a mask of itself': [svg('<mask id="m"><rect mask="url(#m)"/></mask><rect mask="url(#m)"/>'), circle],
    'a clip path of itself': [
      svg('<clipPath id="c" clip-path="url(#c)"><rect/></clipPath><rect style="clip-path:url( &quot;#c&quot; )"/>'),
      circle,
    ],
    'a marker of itself': [
      svg('<marker id="m"><path d="M0 0h1" marker-start="url(#m)"/></marker><path d="M0 0h1" marker-start="url(#m)"/>'),
      circle,
    ],
    'a filter that uses the element it applies to': [
      svg('<g id="g"><filter id="f"><feImage href="#g"/></filter><rect filter="url(#f)"/></g>'),
      circle,
    ],
    'by a style sheet': [
      svg('<style>.a, rect.b { mask: url(#m) }</style><mask id="m"><rect class="x b"/></mask><rect class="b"/>'),
      circle,
    ],
  });
  await drawn(t, {
    'a link to itself': svg(`<a id="a" href="#a">${RECT}</a>`),
    'deep, but not too deep': svg(`${'<g>'.repeat(200)}${RECT}${'</g>'.repeat(200)}`),
  });
});

// fault: 53
t.test('limits filters and layers', async (t) => {
  const slow = /filters and patterns process too many pixels/;
  const held = /hold \d+ layers of this size at once/;
  const blurs = (count: number) => `<filter id="f">${'<feGaussianBlur stdDeviation="1"/>'.repeat(count)}</filter>`;
  const filtered = '<rect width="100%" height="100%" filter="url(#f)"/>';
  const filter = (primitive: string, side = 2000) => svg(`<filter id="f">${primitive}</filter>${filtered}`, side);
  const convolution = (order: number) =>
    `<feConvolveMatrix order="${order}" kernelMatrix="${'1 '.repeat(order * order)}"/>`;
  await refused(t, {
    'a long chain': [svg(blurs(20) + filtered, 2000), slow],
    'a longer one on a small image': [svg(blurs(1500) + filtered, 200), held],
    'a chain for each of many elements': [
      svg(`${blurs(2)}${'<rect width="1500" height="1500" filter="url(#f)"/>'.repeat(20)}`, 2000),
      slow,
    ],
    'elements scaled by a transform': [
      svg(
        `${blurs(2)}<g transform="scale(1000 1000)">${'<rect width="1" height="1" filter="url(#f)"/>'.repeat(20)}</g>`,
        2000,
      ),
      slow,
    ],
    'elements scaled by a viewBox': [
      svg(
        `${blurs(2)}<symbol id="s" viewBox="0 0 1 1">${'<rect width="1" height="1" filter="url(#f)"/>'.repeat(20)}</symbol><use href="#s" width="2000" height="2000"/>`,
        2000,
      ),
      slow,
    ],
    'by a style sheet': [
      svg(
        `<style>/* { */ @font-face { src: url(x) } g > rect.a { fill: red; filter: url(#f) }</style>${blurs(20)}<g><rect class="a" width="100%" height="100%"/></g>`,
        2000,
      ),
      slow,
    ],
    'functions of CSS': [
      svg(`<rect width="2000" height="2000" style="filter:${'blur(2px) '.repeat(20)}"/>`, 2000),
      slow,
    ],
    'octaves of noise': [filter('<feTurbulence baseFrequency=".1" numOctaves="500"/>'), slow],
    'a wide morphology': [filter('<feMorphology operator="dilate" radius="500"/>'), slow],
    'long tables for each channel': [
      filter(
        `<feComponentTransfer>${'RGBA'.replace(/./g, (c) => `<feFunc${c} type="table" tableValues="${'0 1 '.repeat(50)}"/>`)}</feComponentTransfer>`.repeat(
          20,
        ),
      ),
      slow,
    ],
    'a large convolution': [filter(convolution(100)), slow],
    'a convolution as large as a small image': [filter(convolution(200), 200), slow],
    'a wide morphology of a small image': [filter('<feMorphology radius="60"/>', 300), slow],
    'many blended layers': [filter('<feBlend in2="SourceGraphic" mode="hue"/>'.repeat(7)), slow],
    'many lights': [filter('<feDiffuseLighting><feSpotLight z="9"/></feDiffuseLighting>'.repeat(9)), slow],
    'noise of one octave, again and again': [filter('<feTurbulence baseFrequency=".1"/>'.repeat(9)), slow],
    'a pattern of large tiles': [
      svg(
        `<pattern id="p" width="1e5" height="1e5" patternUnits="userSpaceOnUse">${RECT}</pattern><rect width="9" height="9" fill="url(#p)"/>`,
      ),
      held,
    ],
    'nested layers': [
      svg(`${'<g opacity=".9">'.repeat(60)}<rect width="4000" height="4000"/>${'</g>'.repeat(60)}`, 4000),
      /at 4000 × 4000 pixels its groups and filters hold 61 layers of this size at once/,
    ],
    'layers of content outside the image, 16 times its size each': [
      svg(
        `${'<g opacity=".9">'.repeat(60)}<rect x="-800" y="-800" width="1600" height="1600"/>${'</g>'.repeat(60)}`,
        400,
      ),
      /hold 960 layers of this size at once/,
    ],
    'layers of nested SVGs that clip their content': [
      svg(`${'<svg width="900" height="900">'.repeat(60)}<rect width="900" height="900"/>${'</svg>'.repeat(60)}`, 400),
      held,
    ],
  });
  await drawn(t, {
    'nested groups inside the image': svg(`${'<g opacity=".9">'.repeat(60)}${RECT}${'</g>'.repeat(60)}`, 400),
    'a shadow': svg(
      `<filter id="f" x="-20%" width="140%"><feGaussianBlur in="SourceAlpha" stdDeviation="3"/><feOffset dy="4"/><feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge></filter>
      <rect width="20" height="20" filter="url(#f)"/>`,
    ),
    'two hundred small shadows on a large image': svg(
      `${blurs(2)}${'<g transform="translate(9 9) rotate(9)"><path d="M1 1h8v8c-1-2-3-4-8-8z" filter="url(#f)"/></g>'.repeat(200)}`,
      2000,
    ),
  });
});

t.test('limits the bitmaps that resvg makes larger than the image', async (t) => {
  const large =
    /hold \d+ layers of this size at once|filters and patterns process too many pixels|paints too many pixels/;
  const noise = '<filter id="f"><feTurbulence baseFrequency=".1" numOctaves="2"/></filter>';
  const region = (size: string) =>
    `<filter id="f" filterUnits="userSpaceOnUse" x="0" y="0" ${size}><feFlood/></filter>`;
  const tile = (size: string) => `<pattern id="p" ${size}><circle r="9"/></pattern>`;
  const offscreen = '<rect x="-2000" y="-2000" width="4000" height="4000" fill-opacity=".5"/>';
  const painted = '<rect width="30" height="30" fill="url(#p)"/>';
  await refused(t, {
    'noise next to a very wide rectangle': [
      svg(`${noise}<rect x="70" width="99999999" height="10" filter="url(#f)"/>`),
      large,
    ],
    'the same in percent': [svg(`${noise}<rect width="9999999%" height="100%" filter="url(#f)"/>`), large],
    'the same in an embedded image': [
      svg(
        `<image width="40" height="40" href="${data(Buffer.from(svg(`${noise}<rect width="9999999" height="9" filter="url(#f)"/>`)))}"/>`,
      ),
      large,
    ],
    'a huge region of a group without content': [
      svg(`${region('width="90000" height="90000"')}<g filter="url(#f)"/>`),
      large,
    ],
    'a huge region in percent': [
      svg(`${region('width="99999%" height="99999%"')}${RECT.replace('/>', ' filter="url(#f)"/>')}`),
      large,
    ],
    'the same filter again and again': [
      svg(`${noise}<rect width="400" height="400" filter="${'url(#f) '.repeat(200)}"/>`, 400),
      large,
    ],
    'a radius in multiples of the element': [
      svg(
        '<filter id="f" primitiveUnits="objectBoundingBox"><feMorphology radius=".3"/></filter><rect width="400" height="400" filter="url(#f)"/>',
        400,
      ),
      large,
    ],
    'tiles in multiples of the element': [svg(tile('width="3000" height="3000"') + painted), large],
    'tiles in multiples of the font size': [
      svg(tile('width="9000em" height="9000em" patternUnits="userSpaceOnUse"') + painted),
      large,
    ],
    'tiles of a size that another pattern has': [
      svg(
        `${tile('width="90000" height="90000" patternUnits="userSpaceOnUse"')}<pattern id="q" href="#p"/>${painted.replace('#p', '#q')}`,
      ),
      large,
    ],
    'shapes in a layer that is larger than the image': [
      svg(`<g opacity=".9">${offscreen.repeat(150)}</g>`, 1000),
      large,
    ],
  });
  await t.rejects(
    decodeImage(
      svg(
        `${repeat(65, (i) => `<filter id="f${i}"><feFlood/></filter>`)}<rect filter="${repeat(65, (i) => `url(#f${i}) `)}"/>`,
      ),
    ),
    { message: /refers to more than 64 others/ },
  );
  await drawn(t, {
    'a flood beside the image': svg(
      `<filter id="f" x="-1" y="-1" width="3" height="3"><feFlood flood-color="red"/><feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge></filter><rect x="-20" width="80" height="40" filter="url(#f)"/>`,
    ),
    'a pattern of the element itself': svg(`${tile('width="1" height="1"')}<g>${painted.repeat(40)}</g>`, 400),
    'shapes beside the image': svg(`${offscreen.repeat(100)}`, 1000),
  });
});

// fault: 53
t.test('rejects compressed and DOCTYPE-bearing embedded images', async (t) => {
  await refused(t, {
    compressed: [svg(`<image width="9" height="9" href="${data(gzipSync(svg(RECT)))}"/>`), /is gzip-compressed/],
    'with a DOCTYPE': [
      svg(`<image width="9" height="9" href="${data(`<!DOCTYPE svg [<!ENTITY a "b">]><svg/>`)}"/>`),
      /has a DOCTYPE/,
    ],
  });
});

// fault: 53
t.test('limits what is painted, parsed and matched', async (t) => {
  const slow = /paints too many pixels/;
  const many = /draws more than 100000 elements and characters of text/;
  const matched = /style sheets match too many elements/;
  const dashes = /draws more than 1000000 dashes/;
  const fullSize = (more: string) => `<path d="M0 0h1000v1000H0z" ${more}/>`;
  const stops = (count: number) => repeat(count, (i) => `<stop offset="${i / count}" stop-color="red"/>`);
  const gradient = (count: number) => `<linearGradient id="g">${stops(count)}</linearGradient>`;
  const nested = (selector: string, depth: number) =>
    svg(`<style>${selector}{fill:red}</style>${'<g>'.repeat(depth)}${RECT}${'</g>'.repeat(depth)}`);
  await refused(t, {
    'a large shape many times': [svg(fullSize('fill-opacity=".5"').repeat(2000), 1000), slow],
    'by reference': [svg(`<g id="a">${fullSize('')}</g>${'<use href="#a"/>'.repeat(4000)}`, 1000), slow],
    'a gradient of a thousand stops on a thousand shapes': [
      svg(`${gradient(10_000)}<g fill="url(#g)">${RECT.repeat(1000)}</g>`),
      many,
    ],
    'stops by reference': [
      svg(`${gradient(10_000)}<linearGradient id="h" href="#g"/>${'<rect width="1" fill="url(#h)"/>'.repeat(1000)}`),
      many,
    ],
    'a long path by reference': [
      svg(`<path id="a" d="M0 0${'h9v9h-9'.repeat(20_000)}"/>${'<use href="#a"/>'.repeat(500)}`),
      /more than 33554432 characters of path data and images/,
    ],
    'huge circles': [svg('<circle cx="50" cy="3em" r="1e38"/>'.repeat(50), 1), many],
    'small shapes with a wide stroke': [
      svg(
        `<g stroke="red"><g style="stroke-width:300">${'<path d="M1 1h4v4z" opacity=".5"/>'.repeat(900)}</g></g>`,
        1000,
      ),
      slow,
    ],
    'a stroke inherited through use': [
      svg(
        `<path id="p" d="M1 1h4v4z" opacity=".5"/><g stroke="red" stroke-width="300">${'<use href="#p"/>'.repeat(900)}</g>`,
        1000,
      ),
      slow,
    ],
    'a stroke in a style sheet': [
      svg(`<style>path{stroke:red;stroke-width:300}</style>${'<path d="M1 1h4v4z" opacity=".5"/>'.repeat(900)}`, 1000),
      slow,
    ],
    'many tall lines': [svg(`<path d="M0 0${'v999h.5v-999h.5'.repeat(3000)}"/>`, 1000), slow],
    'a million dashes, many times': [
      svg(`<g stroke="red" stroke-dasharray=".0005">${'<path d="M0 0h999"/>'.repeat(100)}</g>`),
      dashes,
    ],
    'a million dashes of a curve': [
      svg(`<g stroke="red" stroke-dasharray=".001"><g><path d="M0 0c9 99 99 999 999 0"/></g></g>`.repeat(3)),
      dashes,
    ],
    'too many stops on a dot': [svg(`${gradient(100_000)}<rect width="1" height="1" fill="url(#g)"/>`), many],
    'a chain of gradients': [
      svg(
        `<linearGradient id="g0"/>${repeat(300, (i) => `<linearGradient id="g${i + 1}" href="#g${i}"/>`)}<rect fill="url(#g300)"/>`,
      ),
      /nested more than 256 levels deep/,
    ],
    'isolated groups': [svg(`<g opacity=".5">${fullSize('')}</g>`.repeat(200), 1000), slow],
    'many full-size masks': [
      svg(`<mask id="m">${fullSize('')}</mask>${fullSize('mask="url(#m)"').repeat(400)}`, 1000),
      slow,
    ],
    'small shapes of a scaled embedded image': [
      svg(`<image width="999" height="999" href="${data(svg('<circle r="9" opacity=".3"/>'.repeat(500), 9))}"/>`, 1000),
      slow,
    ],
    'a long text': [svg(`<text y="9">${'letters '.repeat(20_000)}</text>`), many],
    'a long text by reference': [
      svg(`<text id="a">${'letters '.repeat(500)}</text>${'<use href="#a"/>'.repeat(50)}`),
      many,
    ],
    'a text of many spans': [svg(`<text>${'<tspan>a</tspan>'.repeat(3000)}</text>`), many],
    'text as character references': [svg(`<text>${'&#97;'.repeat(100_000)}</text>`), many],
    'a selector with exponential backtracking': [nested(`z ${'* '.repeat(12)}`, 200), matched],
    'such a selector in CDATA': [nested(`<![CDATA[${'g '.repeat(8)}]]> rect`, 200), matched],
    'many rules for every element': [
      svg(`<style>${'*{fill:red}'.repeat(10_000)}</style>${'<g/>'.repeat(20_000)}`),
      matched,
    ],
    'a rule of many properties': [
      svg(`<style>rect{${'fill:red;'.repeat(50_000)}}</style>${'<rect width="1" height="1"/>'.repeat(2000)}`),
      /more than 256 properties/,
    ],
    attributes: [svg(`<rect ${repeat(300, (i) => `a${i}="1" `)}/>`), /more than 256 attributes/],
    properties: [svg(`<rect style="${'fill:red;'.repeat(300)}"/>`), /more than 256 properties/],
    namespaces: [
      svg(`<g ${repeat(200, (i) => `xmlns:a${i}="a" `)}><g ${repeat(200, (i) => `xmlns:b${i}="b" `)}/></g>`),
      /more than 256 namespaces/,
    ],
  });
  await drawn(t, {
    'a hundred large shapes': svg(fullSize('fill-opacity=".5"').repeat(100), 1000),
    'arcs whose flags have no separators': svg('<path d="M9 9a5 5 0 019 9a5 5 0 11-9-9"/>'.repeat(3000), 1000),
    'smooth curves': svg('<path d="M9 9q1 1 2 0t2 0 2 0 2 0s1 1 2 2"/>'.repeat(3000), 1000),
    'a thousand labels': svg(
      `<rect width="9" height="9"/>${'<text y="9" font-size="12">Label</text>'.repeat(1000)}`,
      1000,
    ),
    'short arcs of a huge circle': svg(`${RECT}${'<path d="M9 9a1e5 1e5 0 01-.8-.2"/>'.repeat(3000)}`, 1000),
    'small filled shapes next to a wide stroke': svg(
      `<path d="M0 0h9" stroke="red" stroke-width="300"/><g opacity=".9">${'<path d="M1 1h4v4z" opacity=".5"/>'.repeat(900)}</g>`,
      1000,
    ),
    'a hundred bars in percent': svg(`${RECT}${'<rect x="9%" width="2%" height="50%"/>'.repeat(100)}`, 1000),
    'fine dashes on one short line of many': svg(
      `<path stroke="red" stroke-dasharray=".01" d="M0 0h9"/>${'<path stroke="red" fill="none" d="M0 0c99 99 999 9 999 999"/>'.repeat(50)}`,
      1000,
    ),
    'dashes without a stroke': svg(`${RECT}<g stroke-dasharray=".0005">${'<path d="M0 0h999v1"/>'.repeat(100)}</g>`),
    'gradients in a reference cycle': svg(
      `<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/><rect width="9" height="9" fill="url(#a)"/>${RECT}`,
    ),
    'a dashed map': svg(`<path stroke="red" stroke-dasharray="4 2" d="M0 0${'l9 3l-3 9'.repeat(5000)}"/>`, 1000),
    'a sheet of two hundred rules': svg(
      `<style>${repeat(200, (i) => `.a${i} g .b, .c{fill:red}`)}</style>${'<g><rect class="c" width="9" height="9"/></g>'.repeat(500)}`,
    ),
  });
});

// fault: 53
t.test('handles attributes that resvg interprets differently', async (t) => {
  const bomb = data(gzipSync(svg(RECT)));
  const differ = /two attributes "href" that differ/;
  const z = 'xmlns:z="urn:z"';
  await refused(t, {
    'a link next to one in a foreign namespace': [
      svg(`<image ${z} width="9" height="9" xlink:href="${bomb}" z:href="x"/>`),
      /is gzip-compressed/,
    ],
    'two different links': [svg(`<image width="9" height="9" xlink:href="${bomb}" href="#a"/>`), differ],
    'the xlink namespace with another prefix': [
      svg(`<g xmlns:l="http://www.w3.org/1999/xlink"><image width="9" height="9" l:href="${bomb}"/></g>`),
      /is gzip-compressed/,
    ],
    'a line end inside data:': [
      svg(`<image width="9" height="9" href="${bomb.replace('data', 'd&#10;ata')}"/>`),
      /is gzip-compressed/,
    ],
    'a tab inside base64': [
      svg(`<image width="9" height="9" href="${bomb.replace('base64', 'ba&#9;se64')}"/>`),
      /is gzip-compressed/,
    ],
  });
  await drawn(t, {
    'attributes with the same name in other namespaces': svg(
      `<rect ${z} id="a" z:id="b" z:width="1" width="9" height="9"/><use href="#a" xlink:href="#a" xlink:title="t"/>`,
    ),
  });
});

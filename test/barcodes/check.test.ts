// Each symbology accepts certain data, and messages describe the faults of the rest.
import t from 'tap';
import { barcodeIssue, checkDigit, completeData } from '../../lib/barcodes/check.js';
import type { Symbology } from '../../lib/contract/layers/index.js';

t.test('computes check digits of GS1', (t) => {
  for (const [digits, digit] of [
    ['590123412345', '7'],
    ['9638507', '4'],
    ['03600029145', '2'],
    ['0540014128876', '6'],
    ['37610425002123456', '9'],
    ['000000000000', '0'],
  ]) {
    t.equal(checkDigit(digits), digit, digits);
  }
  t.end();
});

const ACCEPTED: readonly (readonly [symbology: Symbology, data: string, complete?: string])[] = [
  ['ean13', '590123412345', '5901234123457'],
  ['ean13', '5901234123457'],
  ['ean8', '9638507', '96385074'],
  ['upca', '036000291452'],
  ['itf14', '0540014128876', '05400141288766'],
  ['code128', 'Aa1\t\u0000~'],
  ['code128', 'x'.repeat(500)],
  ['code39', 'A-1 $/+%.'],
  ['gs1-128', '(01)09521234543213(10)ABC!"%'],
  ['gs1-128', '(00)376104250021234569'],
  ['gs1-128', '(8200)http://example.com'],
  ['pdf417', '東京\n\u0000'],
  ['datamatrix', '\ud800'],
  ['aztec', '1'.repeat(3832)],
];

t.test('accepts what a code can say, and adds check digits', (t) => {
  for (const [symbology, data, complete = data] of ACCEPTED) {
    t.equal(barcodeIssue({ symbology, data }), undefined, `${symbology} ${data.slice(0, 30)}`);
    t.equal(completeData({ symbology, data }), complete);
  }
  t.end();
});

const REFUSED: readonly (readonly [symbology: Symbology, data: string, message: string])[] = [
  ['ean13', '', 'received "", expected 12 digits, or 13 with the check digit, for an EAN-13 code'],
  ['ean13', '978-3-16', 'received "978-3-16", expected 12 digits, or 13 with the check digit, for an EAN-13 code'],
  [
    'ean13',
    '５90123412345',
    'received "５90123412345", expected 12 digits, or 13 with the check digit, for an EAN-13 code',
  ],
  ['ean13', '5901234123450', 'received "5901234123450", expected "5901234123457": its check digit is 7'],
  ['ean8', '12345678', 'received "12345678", expected "12345670": its check digit is 0'],
  ['itf14', '123', 'received "123", expected 13 digits, or 14 with the check digit, for an ITF-14 code'],
  ['code128', '', 'received "", expected at least one character'],
  ['code128', 'naïve', 'received "naïve", expected ASCII characters for a Code 128 code, without "ï"'],
  ['code128', 'x'.repeat(501), 'received 501 characters, expected at most 500: a Code 128 code holds no more'],
  [
    'code39',
    'Abc',
    'received "Abc", expected digits, capital letters, spaces and - . $ / + % for a Code 39 code, without "b"',
  ],
  [
    'code39',
    '*A*',
    'received "*A*", expected digits, capital letters, spaces and - . $ / + % for a Code 39 code, without "*"',
  ],
  [
    'gs1-128',
    '0109521234543213',
    'received "0109521234543213", expected application identifiers in parentheses, each before its value: "(01)09521234543213(10)ABC123"',
  ],
  [
    'gs1-128',
    '(01)09521234543214',
    'received "09521234543214" for (01), expected "09521234543213": its check digit is 3',
  ],
  ['gs1-128', '(01)952', 'received "952" for (01), expected 14 digits'],
  ['datamatrix', '1'.repeat(3117), 'received 3117 characters, expected at most 3116: a Data Matrix code holds no more'],
];

t.test('says what is wrong, and the right check digit', (t) => {
  for (const [symbology, data, message] of REFUSED) t.equal(barcodeIssue({ symbology, data }), message);
  t.end();
});

t.test('data of a megabyte costs linear time', (t) => {
  for (const symbology of ['code128', 'code39', 'gs1-128', 'ean13', 'pdf417', 'datamatrix', 'aztec'] as const) {
    for (const part of ['(01)', '(', '1', 'x)'])
      t.type(barcodeIssue({ symbology, data: part.repeat(250_000) }), 'string');
  }
  t.end();
});

// Checks the data of barcodes before anything is encoded: characters, lengths, check digits.
import { formatReceived } from '../contract/json/describe.js';
import type { Symbology } from '../contract/layers/barcode.js';
import { SYMBOLOGY_INFO } from './symbologies.js';

export interface BarcodeData {
  readonly symbology: Symbology;
  readonly data: string;
}

/** Checks that a barcode can hold the data; returns the problem, if any. What only the encoder sees, it reports. */
export function barcodeIssue({ symbology, data }: BarcodeData): string | undefined {
  const { name, digits, maxLength } = SYMBOLOGY_INFO[symbology];
  const expected = (what: string) => `received ${formatReceived(data)}, expected ${what}`;
  if (digits) {
    const [without, full] = digits;
    const lengths = `${without} digits, or ${full} with the check digit, for ${name} code`;
    if (!/^\d+$/.test(data) || (data.length !== without && data.length !== full)) return expected(lengths);
    return checkDigitIssue(data, full, '');
  }
  if (data === '') return expected('at least one character');
  if (data.length > maxLength) {
    return `received ${data.length} characters, expected at most ${maxLength}: ${name} code holds no more`;
  }
  const characters = CHARACTERS[symbology];
  const bad = characters && Array.from(data).find((character) => !characters.pattern.test(character));
  if (bad !== undefined) return expected(`${characters?.expected} for ${name} code, without ${formatReceived(bad)}`);
  return symbology === 'gs1-128' ? gs1Issue(data) : undefined;
}

/** The data as scanners report it: with the check digit, where the code has one. */
export function completeData({ symbology, data }: BarcodeData): string {
  const { digits } = SYMBOLOGY_INFO[symbology];
  return digits && data.length === digits[0] ? data + checkDigit(data) : data;
}

const CHARACTERS: Partial<Record<Symbology, { readonly pattern: RegExp; readonly expected: string }>> = {
  code128: { pattern: /^[\0-\x7f]$/, expected: 'ASCII characters' },
  code39: { pattern: /^[0-9A-Z .$/+%-]$/, expected: 'digits, capital letters, spaces and - . $ / + %' },
  'gs1-128': { pattern: /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]$/, expected: 'letters, digits and !"%&\'()*+,-./:;<=>?_' },
};

/** Application identifiers whose value is digits that end in a check digit, by their number of digits. */
const WITH_CHECK_DIGIT: Readonly<Record<string, number>> = { '00': 18, '01': 14, '02': 14, '410': 13, '414': 13 };

/** Identifiers in parentheses, each before its value. The encoder knows which there are, and the form of each value. */
function gs1Issue(data: string): string | undefined {
  if (!/^(?:\(\d{2,4}\)[^()]+)+$/.test(data)) {
    const example = '"(01)09521234543213(10)ABC123"';
    return `received ${formatReceived(data)}, expected application identifiers in parentheses, each before its value: ${example}`;
  }
  for (const [, identifier, value] of data.matchAll(/\((\d+)\)([^()]+)/g)) {
    const length = WITH_CHECK_DIGIT[identifier];
    if (length === undefined) continue;
    if (!/^\d+$/.test(value) || value.length !== length) {
      return `received ${formatReceived(value)} for (${identifier}), expected ${length} digits`;
    }
    const issue = checkDigitIssue(value, length, ` for (${identifier})`);
    if (issue !== undefined) return issue;
  }
  return undefined;
}

function checkDigitIssue(data: string, length: number, where: string): string | undefined {
  if (data.length < length) return undefined;
  const body = data.slice(0, -1);
  const digit = checkDigit(body);
  if (data.endsWith(digit)) return undefined;
  return `received "${data}"${where}, expected "${body}${digit}": its check digit is ${digit}`;
}

/** GS1's, modulo 10: from the right, digits count 3 and 1 in turn. */
export function checkDigit(digits: string): string {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 3 : 1);
  return String((10 - (sum % 10)) % 10);
}

// Texts for QR codes: access to a wireless network, and contacts.
import { fieldOf, isRecord, textOf } from '../value.js';
import { argumentError, type Definition, define, made, textArgument } from './definition.js';

/** The properties of a vCard and the fields that fill them. */
const CARD_FIELDS = [
  ['ORG', 'organization'],
  ['TITLE', 'title'],
  ['TEL', 'phone'],
  ['EMAIL', 'email'],
  ['URL', 'url'],
  ['ADR', 'address'],
  ['NOTE', 'note'],
] as const;

export const CODE_FUNCTIONS = {
  wifi: define([1, 3], ([ssid, password = null, security = null], call) => {
    const secret = textArgument(password, call);
    const type = secret === '' ? 'nopass' : textArgument(security, call) || 'WPA';
    const escaped = (text: string) => text.replace(/[\\;,:"]/g, '\\$&');
    const part = secret === '' ? '' : `P:${escaped(secret)};`;
    return made(`WIFI:T:${escaped(type)};S:${escaped(textArgument(ssid, call))};${part};`, call);
  }),
  vcard: define([1, 1], ([contact], call) => {
    if (!isRecord(contact)) throw argumentError(call, contact, 'an object with a name');
    const field = (name: string): string => {
      const text = textOf(fieldOf(contact, name));
      if (text === undefined) throw argumentError(call, fieldOf(contact, name), `a text in ${name}`);
      return escapedValue(text);
    };
    const name = field('name');
    // names are not split: which part is the family's differs between languages
    const lines = ['BEGIN:VCARD', 'VERSION:3.0', `FN:${name}`, `N:${name};;;;`];
    for (const [property, key] of CARD_FIELDS) {
      const value = field(key);
      // the street is the third of the seven parts of an address
      if (value !== '') lines.push(`${property}:${property === 'ADR' ? `;;${value};;;;` : value}`);
    }
    return made(`${[...lines, 'END:VCARD'].join('\r\n')}\r\n`, call);
  }),
} satisfies Record<string, Definition>;

/** RFC 2426, section 5: a backslash before backslashes, semicolons and commas; a line break is \n. */
function escapedValue(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r\n|\r|\n/g, '\\n');
}

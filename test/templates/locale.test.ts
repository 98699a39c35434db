// The locale of payloads, templates and renders.
import t from 'tap';
import { render, validate } from '../../lib/index.js';
import { loadDataFor } from '../../lib/load-data.js';
import { expand } from '../../lib/templates/expand.js';
import { readable } from '../pdf/document.js';

const box = { x: 0, y: 0, width: 100, height: 20 };
const text = (value: string) => ({ type: 'text', text: value, ...box });
const canvas = { width: 100, height: 20 };
const payload = (value: string, fields: object = {}) => ({ canvas, data: {}, layers: [text(value)], ...fields });
const TEMPLATE = { name: 'A', width: 100, height: 20, placeholders: true, layers: [text('{{= number(1.5) }}')] };

function textOf(source: unknown, options: { readonly locale?: string } = {}) {
  const { payload: plain, warnings } = expand(source, { maxLayers: 10, ...options });
  return { text: (plain.layers as { text: string }[])[0].text, locale: plain.locale, warnings };
}

t.before(() => loadDataFor(payload('{{= 1 }}')));

t.test("a request's locale wins over the payload's, and en is the default", (t) => {
  t.match(textOf(payload('{{= number(1.5) }}')), { text: '1.5', locale: undefined });
  t.match(textOf(payload('{{= number(1.5) }}', { locale: 'de' })), { text: '1,5', locale: 'de' });
  t.match(textOf(payload('{{= number(1.5) }}', { locale: 'de' }), { locale: 'en' }), { text: '1.5', locale: 'en' });
  t.match(textOf({ ...TEMPLATE, locale: 'de' }), { text: '1,5', locale: 'de' });
  t.match(textOf({ ...TEMPLATE, locale: 'de' }, { locale: 'en' }), { text: '1.5' });
  t.match(textOf(payload('{{= locale }}', { locale: 'de-CH' })), { text: 'de-CH' });
  t.end();
});

t.test('an unknown locale gives a warning where its data are used', (t) => {
  const { text: found, warnings } = textOf(payload('{{= number(1.5) }}', { locale: 'de-JP' }));
  t.equal(found, '1,5');
  t.same(warnings, [
    { code: 'unknown_locale', path: 'locale', message: 'there is no locale de-JP: de stands in for it' },
  ]);
  t.same(textOf(payload('{{= locale }}', { locale: 'de-JP' })).warnings, []);
  t.end();
});

t.test('a malformed tag is an error at the locale', async (t) => {
  const bad = payload('a', { locale: 'de_CH' });
  t.match(validate(bad), {
    valid: false,
    details: [{ path: 'locale', message: /de_CH.*expected a language tag such as de-CH/ }],
  });
  t.match(validate({ ...TEMPLATE, locale: 7 }), { valid: false, details: [{ path: 'locale' }] });
  await t.rejects(
    render(payload('a') as never, { locale: 'de_CH' }),
    /^locale: received "de_CH", expected a language tag/,
  );
});

t.test('the locale is the language of documents', async (t) => {
  const file = async (format: 'pdf' | 'svg', fields: object, options: object = {}) =>
    readable(Buffer.from((await render(payload('a', fields) as never, { format, ...options })).bytes));
  t.match(await file('svg', { locale: 'de-CH' }), /^<svg [^>]*lang="de-CH"/);
  t.notMatch(await file('svg', {}), /lang=/);
  t.match(await file('pdf', { locale: 'de-CH' }), '/Lang(de-CH)');
  t.match(await file('pdf', { locale: 'de' }, { locale: 'fr' }), '/Lang(fr)');
  t.match(await file('pdf', {}), '/Lang(en)');
});

// Errors list at most 20 problems, each layer's first before any layer's second, and count the others.
import t from 'tap';
import { countDetails, type Detail, limitDetails, MAX_DETAILS, RenderError } from '../lib/errors.js';
import { validate } from '../lib/index.js';

const detail = (path: string): Detail => ({ code: 'invalid_value', path, message: 'is wrong' });
const many = (count: number, path: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => detail(path(index)));

t.test('lists up to 20 problems as they are', async (t) => {
  const details = many(MAX_DETAILS, (index) => `layers[${index}].x`);
  t.equal(limitDetails(details), details);
});

t.test('counts what is more in a last detail', async (t) => {
  const details = many(57, (index) => `layers[${index}].x`);
  const limited = limitDetails(details);
  t.same(limited, [...details.slice(0, 20), { code: 'more_faults', path: '', message: 'and 37 more', more: 37 }]);
  t.equal(countDetails(limited), 57);
  t.same(new RenderError('render_failed', 'wrong', { details }).details, limited);
  const joined = limitDetails([...limited, detail('width'), ...limited]);
  t.equal(joined.length, 21);
  t.equal(countDetails(joined), 115, 'also where limited lists are joined');
});

t.test('lists each layer before the second problem of any, in payload order', async (t) => {
  const details = [...many(30, (index) => `layers[0].f${index}`), ...many(5, (index) => `layers[${index + 1}].x`)];
  const paths = limitDetails(details).map(({ path }) => path);
  t.same(
    paths.slice(0, 15),
    details.slice(0, 15).map(({ path }) => path),
  );
  t.same(paths.slice(15, 20), ['layers[1].x', 'layers[2].x', 'layers[3].x', 'layers[4].x', 'layers[5].x']);
});

t.test('validate lists 20 of the problems of a payload', async (t) => {
  const layers = Array.from({ length: 40 }, () => ({ type: 'text' }));
  const { valid, details } = validate({ canvas: { width: 10, height: 10 }, layers });
  t.notOk(valid);
  t.equal(details.length, 21);
  t.equal(countDetails(details), 200);
});

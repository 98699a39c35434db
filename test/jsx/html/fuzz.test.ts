// Markup from anyone: whatever it is, it becomes a payload that is valid, or fails with one line, in bounded time.
import t from 'tap';
import { RenderError } from '../../../lib/errors.js';
import { validate } from '../../../lib/index.js';
import { fromHtml } from '../../../lib/jsx/entry.js';
import { dice, rounds } from '../../exhaustive.js';

const PARTS = (
  '<div> </div> <p> <b> </b> <i> </p> <span style="color:red"> </span> <ul> <ol start=3> <li> </li> </ul> <table> <tr> <td> ' +
  '<td> <th> </td> </table> <style> </style> <svg> <path d="M0 0"> </svg> <math> <br> <hr> <img> <script> </script> <!-- --> & &amp; ' +
  '< > " \' text \u202e \0 é <a href=x> </a> <h1> </h1> <pre> </pre> <q> <template> <select> <body> <html> { } ; : ( ) @media ' +
  '@import @font-face p{color:red} .a>b{} :not( var(--x) --x:var(--x) calc( url( !important #a [b=c] * , /* */ \\ float:left ' +
  'width:1e9px font:bold display:flex display:table display:grid position:absolute border:1px <table><tr> <li>x'
).split(' ');
const PER_ROUND = 150;
const LEAST_ROUNDS = 2;

t.test('any markup becomes a valid payload, or fails with one line', (t) => {
  for (const seed of rounds(1, LEAST_ROUNDS)) {
    const die = dice(seed);
    const pick = (count: number) => Math.floor(die() * count);
    for (let i = 0; i < PER_ROUND; i++) {
      const length = 1 + pick(60);
      const html = Array.from({ length }, () => PARTS[pick(PARTS.length)]).join(pick(2) === 0 ? '' : ' ');
      try {
        const { payload, warnings } = fromHtml(html, { width: 300, height: 200 });
        const found = validate(payload).details.filter(
          ({ message }) => !/levels? deep|levels of groups|nested|missing/.test(message),
        );
        if (found.length > 0) t.same(found, [], html);
        if (warnings.some(({ message }) => message.includes('\n'))) t.fail(html);
      } catch (error) {
        if (!(error instanceof RenderError) || error.message.includes('\n')) t.fail(`${html}: ${error}`);
      }
    }
  }
  t.pass();
  t.end();
});

// Which warnings fail a strict render.
import t from 'tap';
import { failingWarnings, type StrictOptions, strictnessOf } from '../../../lib/contract/messages/strictness.js';
import type { WarningCode } from '../../../lib/detail-codes.js';

const CODES: WarningCode[] = ['unknown_field', 'text_overflow', 'missing_glyphs', 'too_many_warnings'];
const warnings = CODES.map((code) => ({ code, path: 'a', message: 'm' }));
const failing = (options: StrictOptions) => failingWarnings(warnings, strictnessOf(options)).map(({ code }) => code);

t.test('selects warnings by their codes', async (t) => {
  const rows: [StrictOptions, WarningCode[]][] = [
    [{}, []],
    [{ strict: false }, []],
    [{ allow: ['unknown_field'] }, []],
    [{ strict: true }, CODES],
    [{ strict: true, allow: [] }, CODES],
    [{ strict: true, allow: ['unknown_field', 'missing_glyphs'] }, ['text_overflow', 'too_many_warnings']],
    [{ strict: ['text_overflow'] }, ['text_overflow', 'too_many_warnings']],
    [{ strict: ['text_overflow'], allow: ['too_many_warnings'] }, ['text_overflow']],
    [{ strict: ['text_overflow'], allow: ['text_overflow'] }, ['too_many_warnings']],
  ];
  for (const [options, expected] of rows) t.same(failing(options), expected, JSON.stringify(options));
});

t.test('refuses what is no code, with the one that was probably meant', async (t) => {
  const rows: [object, string[]][] = [
    [
      { strict: ['text_overflows'] },
      ['strict[0]: received "text_overflows", expected a code of a warning; did you mean text_overflow?'],
    ],
    [{ strict: true, allow: ['unknown_field', 5] }, ['allow[1]: received 5, expected a code of a warning']],
    [{ allow: ['zzz'] }, ['allow[0]: received "zzz", expected a code of a warning (docs/warnings.md lists them)']],
    [
      { allow: ['render_failed'] },
      ['allow[0]: received "render_failed", expected a code of a warning (docs/warnings.md lists them)'],
    ],
    [{ strict: 'text_overflow' }, ['strict: received "text_overflow", expected true, false or an array of codes']],
    [{ allow: 'text_overflow' }, ['allow: received "text_overflow", expected an array of codes']],
  ];
  for (const [options, expected] of rows) {
    try {
      strictnessOf(options as StrictOptions);
      t.fail(JSON.stringify(options));
    } catch (error) {
      const { code, details } = error as { code: string; details: { path: string; message: string }[] };
      t.equal(code, 'invalid_request');
      t.same(
        details.map(({ path, message }) => `${path}: ${message}`),
        expected,
      );
    }
  }
});

import fc from 'fast-check';
import t from 'tap';
import * as z from 'zod';
import { SparseObject } from '../../../lib/contract/schema/sparse-object.js';

const shape = {
  type: z.literal('box'),
  width: z.number().min(0).max(10),
  label: z.string().max(3).optional(),
  opacity: z.number().max(1).default(1),
  color: z
    .string()
    .transform((text) => text.length)
    .prefault('red'),
  border: z.object({ width: z.number().default(2), style: z.string() }).optional(),
};
const dense = z.object(shape, { error: 'an object' });
const sparse = new SparseObject(dense.def) as typeof dense;

/** The output, or the issues, of which JSON drops what is undefined. */
function parsed(schema: z.ZodType, input: unknown): unknown {
  const { data, error } = schema.safeParse(input);
  return JSON.parse(JSON.stringify(error?.issues ?? { data }));
}

t.test('parses as z.object does', async (t) => {
  const value = fc.constantFrom(undefined, 'box', 'boxes', '', -1, 0.5, 9, true, null, {}, [], { style: 'solid' });
  const input = fc.oneof(
    fc.dictionary(fc.constantFrom(...Object.keys(shape), 'other', '__proto__', 'toString'), value),
    fc.record({ type: fc.constant('box'), width: fc.nat(9), label: value, border: value, color: value }),
    value,
  );
  fc.assert(fc.property(input, (given) => t.same(parsed(sparse, given), parsed(dense, given))));
});

t.test('reports issues in the order of the schema', async (t) => {
  const { error } = sparse.safeParse({ opacity: 2, label: 'long', width: 11 });
  t.same(
    error?.issues.map(({ path }) => path),
    [['type'], ['width'], ['label'], ['opacity']],
  );
});

t.test('gives each output an object of its own', async (t) => {
  const given = { type: 'box', width: 1 };
  t.not(sparse.parse(given), sparse.parse(given));
  t.not(sparse.parse(given), given);
});

t.test('finds the fields that an instance of a class inherits', async (t) => {
  class Box {
    type = 'box';
    get width() {
      return 3;
    }
  }
  t.match(sparse.parse(new Box()), { width: 3 });
});

t.test('keeps its checks, extensions and unknown fields as z.object does', async (t) => {
  const valid = { type: 'box', width: 1 };
  const checked = sparse.superRefine((_, context) => context.addIssue({ code: 'custom', message: 'refused' }));
  t.equal(checked.safeParse(valid).error?.issues[0]?.message, 'refused');
  t.match(sparse.extend({ height: z.number().default(4) }).parse(valid), { height: 4 });
  t.notOk('other' in sparse.parse({ ...valid, other: 1 }));
  t.match(sparse.loose().parse({ ...valid, other: 1 }), { other: 1 });
  t.same(z.toJSONSchema(sparse, { io: 'input' }), z.toJSONSchema(dense, { io: 'input' }));
});

// The names that an expression of a layer may use.
import t from 'tap';
import { createDocument, walk } from '../../../web/document/document.js';
import { expressionFor, namesInScope } from '../../../web/document/names-in-scope.js';

t.test('entries of the lists around a layer come first, then variables and tokens', async (t) => {
  const document = createDocument({
    name: 'A',
    width: 10,
    height: 10,
    variables: {
      items: { type: 'array', of: { name: 'string', 'a b': 'string' } },
      'Full name': 'string',
      tags: 'array',
    },
    tokens: { ink: '#000', 'chart-1': '#111' },
    layers: [
      {
        type: 'group',
        each: '{{= items }}',
        layers: [{ type: 'text', each: { in: '{{= item.tags }}', as: 'tag', index: 'j' }, key: 'title', text: '' }],
      },
    ],
  });
  const [group, text] = Array.from(walk(document), ({ node }) => node.id);
  t.same(namesInScope(document, text!), [
    ...['tag', 'j', 'item', 'item.name', 'i'],
    ...['items', 'vars["Full name"]', 'tags', 'title', 'tokens.ink', 'tokens["chart-1"]'],
  ]);
  t.equal(namesInScope(document, group!)[0], 'item');
});

t.test('a plain value becomes an expression that gives it', async (t) => {
  t.same(
    ['a "b"', 4, true, undefined, { x: 1 }].map((value) => expressionFor(value)),
    ['{{= "a \\"b\\"" }}', '{{= 4 }}', '{{= true }}', '{{= null }}', '{{= null }}'],
  );
});

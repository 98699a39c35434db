// The variables of a template as a JSON Schema.
import t from 'tap';
import { variablesSchema } from '../../lib/templates/variables-schema.js';

t.test('has declared variables, hotspots and the names in strings', (t) => {
  const box = { x: 0, y: 0, width: 10, height: 10 };
  const record = {
    name: 'Receipt',
    width: 100,
    height: 100,
    placeholders: true,
    variables: {
      items: {
        type: 'array',
        label: 'Lines',
        max: 50,
        of: { name: { type: 'string', required: true }, price: 'number' },
      },
      size: { type: 'enum', values: ['S', 'M'], required: true },
      day: { type: 'date', sample: '2026-01-31' },
      share: { type: 'number', min: 0, max: 1, default: 0.5, required: true },
    },
    layers: [{ type: 'text', ...box, text: '{{= discount }} {{shop}}' }],
    hotspots: [{ key: 'logo', label: 'Logo', type: 'group', layout: 'none', layers: [], ...box }],
  };
  t.same(variablesSchema(record), {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Receipt',
    type: 'object',
    properties: {
      items: {
        title: 'Lines',
        type: 'array',
        items: {
          type: 'object',
          properties: { name: { type: 'string' }, price: { type: 'number' } },
          required: ['name'],
        },
        maxItems: 50,
      },
      size: { enum: ['S', 'M'] },
      day: { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }], examples: ['2026-01-31'] },
      share: { type: 'number', minimum: 0, maximum: 1, default: 0.5 },
      logo: { title: 'Logo', type: ['object', 'null'] },
      shop: { title: 'shop', type: ['string', 'number', 'boolean', 'null', 'object'] },
      discount: {},
    },
    required: ['size'],
  });
  t.end();
});

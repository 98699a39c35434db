// Completion and hints from the payload's schema. The module is loaded when an editor is first used, not when it is first seen.
import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { type Extension, Prec } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import payloadSchema from '../../schema.json' with { type: 'json' };
import { completeFrom } from './completion.js';
import { fieldHint, hoverHints } from './hints.js';
import type { SchemaOf } from './place.js';
import type { Schema } from './schema.js';

const ROOT = payloadSchema as unknown as Schema;

const SCHEMAS: Readonly<Record<'payload' | 'template', SchemaOf>> = {
  payload: { root: ROOT, start: ROOT },
  template: { root: ROOT, start: { $ref: '#/definitions/Template' } },
};

export function assistance(kind: 'payload' | 'template'): Extension {
  const schema = SCHEMAS[kind];
  return [
    autocompletion({ override: [completeFrom(schema, fieldHint)], icons: false }),
    Prec.high(keymap.of(completionKeymap)),
    hoverHints(schema),
  ];
}

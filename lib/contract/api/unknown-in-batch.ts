// Warns about fields that a batch does not have. Apart from those of renders: browsers render, and send no batches.
import type { Warning } from '../../errors.js';
import { isObject } from '../schema/fields.js';
import { knownFields, unknownFields } from '../unknown-fields.js';
import { batchItems, batchRows } from './batch.js';

const FIELDS = { rows: knownFields(batchRows)!, items: knownFields(batchItems)! };

/** Lists the unknown fields of a batch and of its rows. Items are complete requests. */
export function unknownInBatch(batch: unknown): Iterable<Warning> {
  const isItems = isObject(batch) && batch.items !== undefined;
  return unknownFields(batch, isItems ? FIELDS.items : FIELDS.rows, '');
}

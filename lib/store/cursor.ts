// The cursors of pages: a position in a list as opaque text.
import { StoreError } from './types.js';

/** The cursor of a position: a few whole numbers. */
export function encodeCursor(...position: readonly (string | number)[]): string {
  return Buffer.from(position.join('.')).toString('base64url');
}

/** The `length` numbers of a cursor, in decimal digits. Throws StoreError `invalid_cursor`. */
export function decodeCursor(cursor: string, length: number): string[] {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const position = text.split('.');
  const isValid = position.length === length && position.every((number) => /^\d{1,18}$/.test(number));
  // Base64 has several spellings of the same bytes.
  if (!isValid || encodeCursor(...position) !== cursor) {
    throw new StoreError('the cursor is not one that a page of this list returned', { code: 'invalid_cursor' });
  }
  return position;
}

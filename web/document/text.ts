// A template's record as text.
import type { EditorDocument } from './document.js';

export const written = (record: unknown): string => `${JSON.stringify(record, null, 2)}\n`;

/** The text that the record was read from; if there is none, the record as JSON. */
export const textOfDocument = ({ record, text }: EditorDocument): string => text ?? written(record);

// Faults and warnings of a payload as marks in its text.
import type { Diagnostic } from '@codemirror/lint';
import type { EditorState } from '@codemirror/state';
import { parsePath } from './paths.js';
import { rangeOfPath } from './tree.js';

export interface Finding {
  readonly severity: 'error' | 'warning';
  /** The stable code in the table of docs/warnings.md; absent if the text is invalid JSON. */
  readonly code?: string | undefined;
  /** Path such as `layers[2].url`; empty for the whole payload. */
  readonly path: string;
  readonly message: string;
  /** Offset of a syntax error, which has no path. */
  readonly position?: number;
}

/** Returns the marks of `findings` in the order of the text. A finding about something outside the text has none. */
export function diagnosticsOf(state: EditorState, findings: readonly Finding[]): Diagnostic[] {
  return findings
    .flatMap(({ severity, path, message, position }) => {
      const range = position === undefined ? rangeOfPath(state, parsePath(path)) : oneCharacter(state, position);
      if (!range) return [];
      return {
        from: range.from,
        to: firstLineEnd(state, range),
        severity,
        message: path ? `${path}: ${message}` : message,
      };
    })
    .sort((a, b) => a.from - b.from);
}

/** Returns the line of a finding, from 1; undefined if it is about something outside the text. */
export function lineOf(state: EditorState, { path, position }: Finding): number | undefined {
  const range = position === undefined ? rangeOfPath(state, parsePath(path)) : oneCharacter(state, position);
  return range && state.doc.lineAt(range.from).number;
}

/** Marks one character: at the end of the text, the character before it. */
function oneCharacter({ doc }: EditorState, position: number): { from: number; to: number } {
  const from = Math.max(0, Math.min(position, doc.length - 1));
  return { from, to: Math.min(from + 1, doc.length) };
}

const firstLineEnd = ({ doc }: EditorState, { from, to }: { from: number; to: number }): number =>
  Math.min(to, doc.lineAt(from).to);

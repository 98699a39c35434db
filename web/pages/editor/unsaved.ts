// Restores unsaved changes of a template from an earlier visit, with the steps to undo them.
import type { TemplateAnswer } from '../../../lib/contract/api/templates.js';
import { createDocument, isEqual } from '../../document/document.js';
import { createHistory, type History, run } from '../../document/history.js';
import { isObject, type Json } from '../../document/json.js';
import { isUnsaved, type KeptHistory } from './kept-history.js';
import type { Draft } from './template-text.js';

export interface Unsaved {
  /** The version that the changes are based on. */
  readonly version: number;
  readonly history: History;
  /** The text of the JSON view, if it isn't a valid record. */
  readonly brokenText?: string | undefined;
}

/** Combines the stored text and history: the text is newer, because the history is stored a moment after each change. */
export function unsavedChanges(
  opened: TemplateAnswer,
  draft: Draft | undefined,
  savedHistory: KeptHistory | undefined,
): Unsaved | undefined {
  const isUsable =
    savedHistory &&
    (draft
      ? savedHistory.version === draft.version
      : isUnsaved(savedHistory) || savedHistory.version === opened.version);
  const own = isUsable ? savedHistory.history : undefined;
  if (!draft)
    return own && savedHistory && isUnsaved(savedHistory) ? { version: savedHistory.version, history: own } : undefined;
  const history = own ?? createHistory(createDocument(opened.record as Json));
  const record = parsed(draft.text);
  if (!record) return { version: draft.version, history, brokenText: draft.text };
  const command = { type: 'replace', record, text: draft.text } as const;
  const isSame = isEqual(history.present.record, record);
  return { version: draft.version, history: isSame ? history : run(history, command, { label: 'Edit JSON' }) };
}

/** Parses the text of a draft; undefined if it isn't a valid record. */
function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

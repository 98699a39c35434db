// Keeps the unsaved text of a template in the window.
import { forgetText, keepText, keptText } from '../../app/storage.js';

export interface Draft {
  /** The version that the text is based on. */
  readonly version: number;
  readonly text: string;
}

const keyOf = (workspaceId: string, id: string) => `editor.${workspaceId}.${id}`;

export function keepDraft(workspaceId: string, id: string, { version, text }: Draft): void {
  keepText(keyOf(workspaceId, id), `${version}\n${text}`);
}

export function keptDraft(workspaceId: string, id: string): Draft | undefined {
  const [, version, text] = /^(\d+)\n([\s\S]*)$/.exec(keptText(keyOf(workspaceId, id)) ?? '') ?? [];
  return version === undefined || text === undefined ? undefined : { version: Number(version), text };
}

export const forgetDraft = (workspaceId: string, id: string): void => forgetText(keyOf(workspaceId, id));

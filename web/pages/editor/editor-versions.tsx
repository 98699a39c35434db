// The versions of the open template, each compared with the editor's document.
import type { OpenEditor } from '../../canvas/open-editor.js';
import { Comparison } from '../../panels/versions/comparison.js';
import { Versions, type VersionsProps } from '../templates/versions.js';

export interface EditorVersionsProps extends Omit<VersionsProps, 'compare'> {
  readonly editor: OpenEditor;
}

export function EditorVersions({ editor, ...props }: EditorVersionsProps) {
  const { id } = props.template;
  return <Versions {...props} compare={(version) => <Comparison editor={editor} id={id} version={version} />} />;
}

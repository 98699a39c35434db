// The panels to the left of the picture: layers and assets.
import { useCallback } from 'preact/hooks';
import type { OpenEditor } from '../../canvas/open-editor.js';
import { uploads } from '../../panels/assets/upload-state.js';
import { loadAddFiles, useFileDrop, withAddFiles } from '../../panels/assets/use-file-drop.js';
import { useClipboard } from '../../panels/clipboard/use-clipboard.js';
import { LayersPanel } from '../../panels/layers/layers-panel.js';
import { lazy } from '../../ui/lazy.js';
import { Tabs } from '../../ui/tabs.js';

const AssetsPanel = lazy(
  () => import('../../panels/assets/assets-panel.js'),
  (module) => module.AssetsPanel,
);
const UploadList = lazy(
  () => import('../../panels/assets/upload-list.js'),
  (module) => module.UploadList,
  { isSilent: true },
);
const VariableDialog = lazy(
  () => import('../../panels/layers/variable-dialog.js'),
  (module) => module.VariableDialog,
  { isSilent: true },
);

/** Code to load when the panel or the canvas is first used. */
export const leftPanelParts: readonly (() => Promise<unknown>)[] = [
  loadAddFiles,
  UploadList.prefetch,
  VariableDialog.prefetch,
  AssetsPanel.prefetch,
];

const TABS = [
  { id: 'layers', label: 'Layers' },
  { id: 'assets', label: 'Assets' },
] as const;

export function LeftPanel({ editor }: { readonly editor: OpenEditor }) {
  const { leftPanel, keyedLayer } = editor;
  const chosen = leftPanel.value;
  const add = useCallback(
    (files: readonly File[]) => withAddFiles((module) => void module.addFiles(editor, files)),
    [editor],
  );
  useClipboard(editor, add);
  const isOver = useFileDrop(editor);
  return (
    <section class="editor-left" aria-label="Layers and assets">
      <Tabs
        label="Layers and assets"
        tabs={TABS}
        chosen={chosen}
        onChoose={(id) => {
          leftPanel.value = id;
        }}
      >
        {chosen === 'layers' && uploads.value.length > 0 && <UploadList />}
        {chosen === 'layers' ? <LayersPanel editor={editor} /> : <AssetsPanel editor={editor} />}
      </Tabs>
      {keyedLayer.value !== undefined && <VariableDialog editor={editor} />}
      {isOver && <div class="drop-hint">Drop pictures, fonts, or a CSV with variables</div>}
    </section>
  );
}

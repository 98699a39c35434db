// The panel Properties: the fields of the selected layers, or of the template if nothing is selected.
import { useMemo } from 'preact/hooks';
import type { OpenEditor } from '../../canvas/open-editor.js';
import { lazy } from '../../ui/lazy.js';
import { CanvasForm } from './canvas/canvas-form.js';
import { EditorContext } from './form/editor-context.js';
import { layersTarget, recordTarget } from './form/target.js';

// the template's fields are seen first
const LayerForm = lazy(
  () => import('./layers/layer-form.js'),
  (module) => module.LayerForm,
);

export const prefetchLayerForm = LayerForm.prefetch;

export function PropertiesPanel({ editor }: { readonly editor: OpenEditor }) {
  const targets = useMemo(() => ({ layers: layersTarget(editor), record: recordTarget(editor) }), [editor]);
  const hasLayers = targets.layers.ids.value.length > 0;
  return (
    <EditorContext.Provider value={editor}>
      <div class="properties">
        {hasLayers ? <LayerForm target={targets.layers} /> : <CanvasForm target={targets.record} />}
      </div>
    </EditorContext.Provider>
  );
}

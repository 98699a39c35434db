// The panel Layers: buttons that add layers, and every layer of the document, the topmost first.
import { useState } from 'preact/hooks';
import type { OpenEditor } from '../../canvas/open-editor.js';
import { nodeIndex } from '../../document/document.js';
import { TextField } from '../../ui/field.js';
import { AddButtons } from '../add/add-buttons.js';
import { LayerList } from './layer-list.js';

/** The panel offers a search above this number of layers. */
const MAX_UNSEARCHED = 15;

export function LayersPanel({ editor }: { readonly editor: OpenEditor }) {
  const [filter, setFilter] = useState('');
  const isSearched = filter !== '' || nodeIndex(editor.store.document.value).size > MAX_UNSEARCHED;
  return (
    <div class="layers-panel">
      {editor.canEdit && <AddButtons editor={editor} />}
      {isSearched && (
        <TextField
          class="layers-filter"
          label="Find layer"
          isLabelHidden
          type="search"
          placeholder="Find layer"
          value={filter}
          onInput={setFilter}
        />
      )}
      <LayerList editor={editor} filter={filter} />
    </div>
  );
}

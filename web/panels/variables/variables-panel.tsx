// The panel Variables: a field for every hotspot and plain variable, sample and stress sets, and the rows of a file.
import { useMemo } from 'preact/hooks';
import type { OpenEditor } from '../../canvas/open-editor.js';
import { type NodeId, walk } from '../../document/document.js';
import { givenTo, hotspotFields, withGiven } from '../../preview/hotspots.js';
import { Button } from '../../ui/button.js';
import { PictureButtons } from '../assets/asset-picker.js';
import { type DeclaredField, declaredFields } from './declared.js';
import { DeclaredFields } from './declared-fields.js';
import { HotspotFields } from './hotspot-fields.js';
import { RowsSection } from './rows-grid.js';
import { SampleSets } from './sample-sets.js';
import { isRowsFile, openRows, variablesState } from './state.js';

export function VariablesPanel({ editor }: { readonly editor: OpenEditor }) {
  const { record } = editor.store.document.value;
  const fields = useMemo(() => hotspotFields(record), [record]);
  const declared = useMemo(() => declaredFields(record, fields), [record, fields]);
  return (
    <div
      class="variables-panel"
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
      }}
      onDrop={(event) => {
        const file = [...(event.dataTransfer?.files ?? [])].find(isRowsFile);
        if (!file) return;
        event.preventDefault();
        void openRows(editor, file);
      }}
    >
      {fields.length + declared.length === 0 ? (
        <p class="faint">
          This template has no variables. Give a layer a <code>key</code>, name one in a placeholder, or declare one in{' '}
          <code>variables</code>.
        </p>
      ) : (
        <>
          <SampleSets editor={editor} />
          <Form editor={editor} fields={fields} declared={declared} />
          <RowsSection editor={editor} />
        </>
      )}
    </div>
  );
}

interface FormProps {
  readonly editor: OpenEditor;
  readonly fields: ReturnType<typeof hotspotFields>;
  readonly declared: readonly DeclaredField[];
}

function Form({ editor, fields, declared }: FormProps) {
  const { store, variables, canEdit } = editor;
  const document = store.document.value;
  const nodes = useMemo(() => {
    const byKey = new Map<unknown, NodeId>();
    for (const { node } of walk(document)) if (node.raw.key !== undefined) byKey.set(node.raw.key, node.id);
    return byKey;
  }, [document.layers, document.hotspots]);
  const values = variables.value;
  return (
    <section class="variables-section" aria-label="Values">
      <div class="variables-heading">
        <h2>Values</h2>
        <Button
          size="small"
          kind="quiet"
          disabled={Object.keys(values).length === 0}
          onClick={() => {
            variables.value = {};
            variablesState(editor).chosen.value = undefined;
          }}
        >
          Reset all
        </Button>
      </div>
      {fields.map((field, index) => {
        const id = field.type === 'placeholder' ? undefined : nodes.get(field.key);
        const change = (name: string, value: string | undefined) => {
          variables.value = withGiven(fields, field, variables.peek(), name, value);
        };
        return (
          <HotspotFields
            // keys may repeat while they are typed
            key={`${index} ${field.key}`}
            field={field}
            ownValue={givenTo(fields, field, values)}
            isSelected={id !== undefined && document.selection.includes(id)}
            onFocus={() => {
              if (id !== undefined) store.select([id]);
            }}
            onChange={change}
            pictureActions={
              <PictureButtons
                label={field.label}
                canUpload={canEdit}
                onChoose={(url) => change(field.main?.field ?? 'url', url)}
              />
            }
          />
        );
      })}
      <DeclaredFields editor={editor} fields={declared} />
    </section>
  );
}

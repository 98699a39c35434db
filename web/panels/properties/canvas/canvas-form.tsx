// The template's form, shown when nothing is selected: its name, canvas and sizes.
import { useContext, useMemo } from 'preact/hooks';
import { ControlContext, Rows } from '../controls/field-view.js';
import { templateFields } from '../form/data.js';
import { EditorContext } from '../form/editor-context.js';
import type { FormTarget } from '../form/target.js';
import { SectionFrame } from '../layers/section-frame.js';
import { CanvasControl } from './canvas-control.js';
import { Sizes } from './sizes.js';

/** The first rows, with one field or two side by side; the other fields follow in the order of the schema. */
const FIRST = [['name'], ['width', 'height'], ['autoWidth', 'autoHeight'], ['padding'], ['scale']];

/** Fields that all sizes share. */
const SHARED = ['name', 'placeholders', 'document', 'locale', 'alt'];

export function CanvasForm({ target }: { readonly target: FormTarget }) {
  const { store } = useContext(EditorContext);
  const { size } = store.document.value;
  const rows = useMemo(() => {
    const fields = templateFields().filter(({ name }) => size === undefined || !SHARED.includes(name));
    const taken = FIRST.map((row) => row.flatMap((name) => fields.find((field) => field.name === name) ?? []));
    const others = fields.filter(({ name }) => !FIRST.flat().includes(name));
    return [...taken.filter((row) => row.length > 0), ...others.map((field) => [field])];
  }, [size]);
  return (
    <ControlContext.Provider value={CanvasControl}>
      <h2 class="prop-title">
        <span>{size ?? 'Canvas'}</span>
        {size !== undefined && <span class="prop-type">Size</span>}
      </h2>
      <SectionFrame title="Canvas">
        <Rows target={target} rows={rows} path={[]} />
      </SectionFrame>
      <SectionFrame title="Sizes">
        <Sizes />
      </SectionFrame>
    </ControlContext.Provider>
  );
}

// The form of the selected layers: the fields that all of them have.
import { useComputed } from '@preact/signals';
import { useContext, useEffect, useMemo } from 'preact/hooks';
import { layerAt } from '../../../document/commands.js';
import { hasLayout } from '../../../document/coordinates.js';
import { isEqual, locate, type NodeId, nameOf, TYPE_NAMES } from '../../../document/document.js';
import { type Json, ownValue } from '../../../document/json.js';
import { ControlView } from '../controls/control-view.js';
import { ControlContext } from '../controls/field-view.js';
import { ensureUploadedFamilies } from '../fonts/families.js';
import type { FormField, FormName } from '../form/controls.js';
import { isFormName } from '../form/controls.js';
import { EditorContext } from '../form/editor-context.js';
import { fieldsOfLayer } from '../form/layer-data.js';
import { sectionsOf } from '../form/sections.js';
import type { layersTarget } from '../form/target.js';
import { LayoutBox } from './layout-box.js';
import { Naming } from './naming.js';
import { SectionView } from './section.js';
import { SectionFrame } from './section-frame.js';

/** Fields that the panel itself edits. */
const OWN_FIELDS = ['key', 'label'];

/** Returns the fields that the forms of all these types have. */
function commonFields(types: readonly FormName[]): readonly FormField[] {
  const [first, ...others] = types.map(fieldsOfLayer);
  return (first ?? []).filter((field) =>
    others.every((fields) =>
      fields.some(({ name, control }) => name === field.name && isEqual(control, field.control)),
    ),
  );
}

/** Exported for the canvas's form, which is loaded first. */
export { ControlView } from '../controls/control-view.js';
export { ListInput } from '../controls/list-input.js';

export function LayerForm({ target }: { readonly target: ReturnType<typeof layersTarget> }) {
  const { store } = useContext(EditorContext);
  useEffect(ensureUploadedFamilies, []);
  const ids = target.ids.value;
  const types = useComputed(() => {
    const layerTypes = target.ids.value.map((id) => layerAt(store.document.value, id).type);
    return [...new Set(layerTypes)].filter(isFormName).join(' ');
  }).value;
  const sections = useMemo(() => {
    const names = types.split(' ').filter(isFormName);
    const fields = commonFields(names).filter(({ name }) => !OWN_FIELDS.includes(name));
    return sectionsOf(names[0] ?? 'text', fields);
  }, [types]);
  const label = useMemo(() => {
    const [type] = types.split(' ');
    return isFormName(type) ? fieldsOfLayer(type).find(({ name }) => name === 'label') : undefined;
  }, [types]);
  // fields are drawn again when one appears, not with every move of a layer
  const circumstances = useComputed(() => {
    const document = store.document.value;
    const raws = target.ids.value.map((each) => layerAt(document, each));
    const groups = target.ids.value.map((each): Json => locate(document, each)?.ancestors.at(-1)?.raw ?? {});
    return {
      // a value in any of the layers makes a field appear
      raw: Object.assign({}, ...raws) as Json,
      isLaidOut: groups.some(hasLayout),
      isInGrid: groups.some(({ layout }) => layout === 'grid'),
    };
  });
  const title = useComputed(() => titleOf(store.document.value, target.ids.value)).value;
  const whole = useComputed(() => target.findings([]).filter(({ field }) => field.length === 0)).value;
  const [id] = ids;
  return (
    <ControlContext.Provider value={ControlView}>
      <h2 class="prop-title">
        <span>{title}</span>
        {types !== '' && (
          <span class="prop-type">
            {types
              .split(' ')
              .map((type) => ownValue(TYPE_NAMES, type) ?? type)
              .join(', ')}
          </span>
        )}
      </h2>
      {whole.map(({ severity, message }) => (
        <p key={message} class={severity === 'error' ? 'prop-error' : 'prop-warning'}>
          {message}
        </p>
      ))}
      {types === '' && <p class="prop-note">This layer has no type that is known. Edit it as JSON.</p>}
      {ids.length === 1 && id !== undefined && types !== '' && (
        <SectionFrame title="Variable">
          <Naming target={target} id={id} label={label} />
        </SectionFrame>
      )}
      {sections.map((section) => (
        <SectionView key={`${types} ${section.title}`} target={target} section={section} circumstances={circumstances}>
          {section.title === 'Layout' && <LayoutBox target={target} />}
        </SectionView>
      ))}
    </ControlContext.Provider>
  );
}

function titleOf(document: Parameters<typeof locate>[0], ids: readonly NodeId[]): string {
  if (ids.length !== 1) return `${ids.length} layers`;
  const located = locate(document, ids[0]!);
  return located ? nameOf(located.node) : '';
}

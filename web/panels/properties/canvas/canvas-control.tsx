// The control of a template field by its kind. It imports only the kinds that are seen first; the others are loaded with the
// layers' forms.
import { lazy } from '../../../ui/lazy.js';
import { ColorInput } from '../color/color-input.js';
import { BackgroundsInput } from '../controls/backgrounds-input.js';
import { ChoiceInput } from '../controls/choice-input.js';
import type { ControlProps } from '../controls/control.js';
import { GroupInput } from '../controls/group-input.js';
import { NumberInput } from '../controls/number-input.js';
import { SwitchInput, TextInput } from '../controls/text-input.js';
import type { Control } from '../form/controls.js';

/** Few backgrounds have several fills, so the list comes with the layers' forms, which are loaded later. */
const ListInput = lazy(
  () => import('../layers/layer-form.js'),
  (module) => module.ListInput,
);
/** The kinds of fields of documents, which few templates have, come with the layers' forms, too. */
const ControlView = lazy(
  () => import('../layers/layer-form.js'),
  (module) => module.ControlView,
);

export function CanvasControl(props: ControlProps) {
  // narrowing by the switch does not reach the props
  const as = <Kind extends Control['kind']>() => props as unknown as ControlProps<Kind>;
  switch (props.control.kind) {
    case 'switch':
      return <SwitchInput {...as<'switch'>()} />;
    case 'number':
      return <NumberInput {...as<'number'>()} />;
    case 'color':
      return <ColorInput {...as<'color'>()} />;
    case 'oneOrMore':
      if (props.control.item.kind !== 'color') return <ControlView {...props} />;
      return <BackgroundsInput {...as<'oneOrMore'>()} List={ListInput} />;
    case 'text':
      return <TextInput {...as<'text'>()} />;
    case 'choice':
      return <ChoiceInput {...as<'choice'>()} />;
    case 'group':
      return <GroupInput {...as<'group'>()} />;
    default:
      return <ControlView {...props} />;
  }
}

// The control of a field of the template, by its kind: those that its form has, because it is seen first.
import { lazy } from '../../../ui/lazy.js';
import { ColorInput } from '../color/color-input.js';
import { BackgroundsInput } from '../controls/backgrounds-input.js';
import type { ControlProps } from '../controls/control.js';
import { GroupInput } from '../controls/group-input.js';
import { NumberInput } from '../controls/number-input.js';
import { SwitchInput, TextInput } from '../controls/text-input.js';
import type { Control } from '../form/controls.js';

/** Few backgrounds have several fills: the list comes with the forms of layers, which are loaded later. */
const ListInput = lazy(
  () => import('../layers/layer-form.js'),
  (module) => module.ListInput,
);

/** Those of CANVAS_CONTROLS. */
export function CanvasControl(props: ControlProps) {
  // the inference of a switch does not reach into the props
  const as = <Kind extends Control['kind']>() => props as unknown as ControlProps<Kind>;
  switch (props.control.kind) {
    case 'switch':
      return <SwitchInput {...as<'switch'>()} />;
    case 'number':
      return <NumberInput {...as<'number'>()} />;
    case 'color':
      return <ColorInput {...as<'color'>()} />;
    case 'oneOrMore':
      return <BackgroundsInput {...as<'oneOrMore'>()} List={ListInput} />;
    case 'text':
      return <TextInput {...as<'text'>()} />;
    case 'group':
      return <GroupInput {...as<'group'>()} />;
    default:
      return null;
  }
}

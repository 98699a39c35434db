// Renders the control of a field by its kind; fonts, weights and filters have special controls.
import { ColorInput } from '../color/color-input.js';
import { FamilyInput } from '../fonts/family-input.js';
import { WeightInput } from '../fonts/weight-input.js';
import type { Control } from '../form/controls.js';
import { BackgroundsInput } from './backgrounds-input.js';
import { ChoiceInput } from './choice-input.js';
import type { ControlProps } from './control.js';
import { isFilter } from './field-view.js';
import { FilterInput } from './filter-input.js';
import { GroupInput, OneOfInput } from './group-input.js';
import { ListInput, MapInput, TupleInput } from './list-input.js';
import { NumberInput } from './number-input.js';
import { RowsInput } from './rows-input.js';
import { SidesInput } from './sides-input.js';
import { JsonInput, SwitchInput, TextInput } from './text-input.js';

export function ControlView(props: ControlProps) {
  const { control, field } = props;
  // narrowing by the switch does not reach the props
  const as = <Kind extends Control['kind']>() => props as unknown as ControlProps<Kind>;
  if (field.name === 'rows' && props.path.length === 1) return <RowsInput {...props} />;
  if (field.name === 'fontWeight') return <WeightInput {...props} />;
  if (field.name === 'fontFamily') return <FamilyInput {...props} />;
  if (isFilter(field.name, control)) return <FilterInput {...as<'text'>()} />;
  switch (control.kind) {
    case 'switch':
      return <SwitchInput {...as<'switch'>()} />;
    case 'choice':
      return <ChoiceInput {...as<'choice'>()} />;
    case 'number':
      return <NumberInput {...as<'number'>()} />;
    case 'color':
      return <ColorInput {...as<'color'>()} />;
    case 'text':
      return <TextInput {...as<'text'>()} />;
    case 'group':
      return <GroupInput {...as<'group'>()} />;
    case 'oneOf':
      return <OneOfInput {...as<'oneOf'>()} />;
    case 'oneOrMore':
      if (control.item.kind === 'number') return <SidesInput {...as<'oneOrMore'>()} />;
      if (control.item.kind === 'color') return <BackgroundsInput {...as<'oneOrMore'>()} List={ListInput} />;
      return <ListInput {...as<'oneOrMore'>()} />;
    case 'list':
      return <ListInput {...as<'list'>()} />;
    case 'tuple':
      return <TupleInput {...as<'tuple'>()} />;
    case 'map':
      return <MapInput {...as<'map'>()} />;
    case 'json':
      return <JsonInput {...props} />;
  }
}

// A colour or gradient behind something, or a list of them of which the first is on top.
import { isList } from '../../../document/json.js';
import { IconButton } from '../../../ui/button.js';
import { lazy } from '../../../ui/lazy.js';
import { ColorInput } from '../color/color-input.js';
import { type ControlProps, labelOfChange, shownValue, useValue } from './control.js';

/** Few backgrounds have several fills, and the form of the canvas, which is seen first, has no other list. */
const ListInput = lazy(
  () => import('./list-input.js'),
  (module) => module.ListInput,
);

export function BackgroundsInput(props: ControlProps<'oneOrMore'>) {
  const { target, path, field, control } = props;
  const value = useValue(target, path);
  const { item } = control;
  if (item.kind !== 'color') return null;
  if (isList(shownValue(value))) return <ListInput {...props} />;
  const canAdd = target.canEdit && typeof value === 'string';
  return (
    <div class="prop-sides-all">
      <ColorInput {...props} control={item} />
      {canAdd && (
        <IconButton
          icon="plus"
          size="small"
          label={`Add a fill to ${field.label.toLowerCase()}`}
          onClick={() => {
            target.write(path, [value, value], labelOfChange(field));
            target.endStep();
          }}
        />
      )}
    </div>
  );
}

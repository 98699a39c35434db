// Edits a background: a colour or gradient, or a list of them with the topmost first.
import type { ComponentType } from 'preact';
import { isList } from '../../../document/json.js';
import { IconButton } from '../../../ui/button.js';
import { ColorInput } from '../color/color-input.js';
import { type ControlProps, labelOfChange, shownValue, useValue } from './control.js';

interface BackgroundsProps extends ControlProps<'oneOrMore'> {
  /** Edits several fills. */
  readonly List: ComponentType<ControlProps<'oneOrMore'>>;
}

export function BackgroundsInput({ List, ...props }: BackgroundsProps) {
  const { target, path, field, control } = props;
  const value = useValue(target, path);
  const { item } = control;
  if (item.kind !== 'color') return null;
  if (isList(shownValue(value))) return <List {...props} />;
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

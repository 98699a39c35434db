// Edits one number for all sides or corners, or one for each, as in CSS.
import { isList } from '../../../document/json.js';
import { IconButton } from '../../../ui/button.js';
import { type ControlProps, labelOfChange, shownValue, useValue } from './control.js';
import { FieldView } from './field-view.js';
import { NumberInput } from './number-input.js';

const SIDES = ['Top', 'Right', 'Bottom', 'Left'];
const CORNERS = ['Top left', 'Top right', 'Bottom right', 'Bottom left'];

function namesOf(name: string, count: number): readonly string[] {
  if (name === 'gap') return count === 1 ? ['All'] : ['Rows', 'Columns'];
  if (name === 'borderRadius') return CORNERS;
  if (count === 2) return ['Vertical', 'Horizontal'];
  return count === 3 ? ['Top', 'Horizontal', 'Bottom'] : SIDES;
}

/** Completes a list of 1 to 4 sides as CSS does. */
function filled(list: readonly unknown[], count: number): readonly unknown[] {
  const [top = 0, right = top, bottom = top, left = right] = list;
  return count === 2 ? [top, right] : [top, right, bottom, left];
}

/** Splits CSS text such as `8px 16px` into a list of lengths; elliptical corners and other values stay. */
const withoutShorthand = (value: unknown): unknown =>
  typeof value === 'string' && !/[%/]/.test(value) ? value.trim().split(/\s+/).map(Number.parseFloat) : value;

export function SidesInput(props: ControlProps<'oneOrMore'>) {
  const { target, path, field, control } = props;
  const value = useValue(target, path);
  const visibleValue = withoutShorthand(shownValue(value));
  const { item, most } = control;
  if (item.kind !== 'number') return null;
  const isEach = isList(visibleValue);
  const each = field.name === 'borderRadius' ? 'Each corner' : field.name === 'gap' ? 'Rows and columns' : 'Each side';
  const toggle = () => {
    const next = isEach ? visibleValue[0] : filled([visibleValue ?? field.standard ?? 0], most);
    target.write(path, next, labelOfChange(field));
    target.endStep();
  };
  const { length } = isEach ? visibleValue : { length: 0 };
  // a short list of corners, or text with lengths, becomes a complete list before its items are edited
  const isShort = isEach && (typeof value === 'string' || (field.name === 'borderRadius' && length < most));
  return (
    <div class="prop-sides">
      <div class="prop-sides-all">
        {isEach ? (
          <span class="prop-sides-text">{visibleValue.join(' ')}</span>
        ) : (
          <NumberInput {...props} control={item} />
        )}
        <IconButton
          icon="sides"
          size="small"
          label={`${field.label}: ${each.toLowerCase()}`}
          aria-pressed={isEach}
          disabled={!target.canEdit}
          onClick={() => (isShort ? target.write(path, filled(visibleValue, most), labelOfChange(field)) : toggle())}
        />
      </div>
      {isEach && !isShort && (
        <div class="prop-pair">
          {namesOf(field.name, length).map((label, index) => (
            <FieldView
              key={label}
              target={target}
              path={[...path, index]}
              field={{ name: 'item', label, control: item, isRequired: true }}
              isCompact
            />
          ))}
        </div>
      )}
    </div>
  );
}

// Chooses one of several words: from icons or words in a row if they are few and short, else from a list.
import { Icon } from '../../../ui/icon.js';
import { fieldsWithChoice } from '../form/initial.js';
import { MIXED } from '../form/target.js';
import { inWords } from '../form/words.js';
import { CHOICE_ICONS, ChoiceIcon } from './choice-icons.js';
import { attributesOf, type ControlProps, labelOfChange, useValue } from './control.js';

/** Number of characters that fit into a row, counting the space around each word. */
const MAX_ROW_LENGTH = 26;
const ROOM_LENGTH = 3;

/** Whether a field's choices are shown in a row. */
export function isRow(name: string, choices: readonly string[]): boolean {
  if (choices.length < 2) return false;
  if (Object.hasOwn(CHOICE_ICONS, name)) return true;
  return choices.reduce((sum, each) => sum + inWords(each).length + ROOM_LENGTH, 0) <= MAX_ROW_LENGTH;
}

export function ChoiceInput(props: ControlProps<'choice'>) {
  const { target, path, field, control, id } = props;
  const { choices } = control;
  const value = useValue(target, path);
  const visibleValue = value === undefined ? field.standard : value;
  const choose = (next: string | undefined) => {
    const besides = path.length === 1 ? fieldsWithChoice(field.name, value, next, target.read(['padding'])) : {};
    if (Object.keys(besides).length > 0) target.assign({ [field.name]: next, ...besides }, labelOfChange(field));
    else target.write(path, next, labelOfChange(field));
    target.endStep();
  };
  if (isRow(field.name, choices)) {
    const icons = CHOICE_ICONS[field.name];
    return (
      <div
        class="prop-row-choice"
        role="radiogroup"
        aria-labelledby={`${id}-label`}
        aria-describedby={props.describedBy}
      >
        {choices.map((each, index) => (
          <label key={each} title={inWords(each)}>
            <input
              id={index === 0 ? id : undefined}
              type="radio"
              name={id}
              aria-label={inWords(each)}
              disabled={!target.canEdit}
              checked={each === visibleValue}
              // the present choice can be removed if there is no default
              onClick={() => {
                if (each === value && field.standard === undefined && !field.isRequired) choose(undefined);
              }}
              onChange={() => choose(each)}
            />
            <span>{icons ? <ChoiceIcon path={icons[each] ?? ''} /> : inWords(each)}</span>
          </label>
        ))}
      </div>
    );
  }
  const isKnown = visibleValue === undefined || visibleValue === MIXED || choices.includes(String(visibleValue));
  return (
    <span class="prop-select">
      <select
        {...attributesOf(props)}
        value={visibleValue === MIXED ? 'mixed ' : String(visibleValue ?? '')}
        onChange={({ currentTarget }) => choose(currentTarget.value === '' ? undefined : currentTarget.value)}
      >
        {value === MIXED && <option value="mixed ">Mixed</option>}
        {field.standard === undefined && !field.isRequired && <option value="">–</option>}
        {!isKnown && <option value={String(visibleValue)}>{String(visibleValue)}</option>}
        {choices.map((each) => (
          <option key={each} value={each}>
            {inWords(each)}
          </option>
        ))}
      </select>
      <Icon name="chevron" size={12} />
    </span>
  );
}

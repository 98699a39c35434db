// Form fields: a label, the control, and below it the hint or the error.
import type { ComponentChildren, LooseInputHTMLAttributes, Ref } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from './icon.js';

interface FieldProps {
  readonly label: string;
  /** Text below the control; an error replaces it. */
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  /** Shows the label to screen readers only, if the control's purpose is visible, as in a row of filters with placeholders. */
  readonly isLabelHidden?: boolean;
  readonly class?: string;
}

interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

/** The frame of a field around any control: `<Field label="Plan">{(control) => <input {...control} />}</Field>`. */
export function Field(props: FieldProps & { readonly children: (control: ControlProps) => ComponentChildren }) {
  const { label, hint, error, isLabelHidden, children } = props;
  const id = useId();
  const note = error ?? hint;
  return (
    <div class={`field ${props.class ?? ''}`}>
      <label for={id} class={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {children({ id, 'aria-describedby': note ? `${id}-note` : undefined, 'aria-invalid': error ? true : undefined })}
      {note && (
        <p id={`${id}-note`} class={error ? 'field-error' : 'field-hint'}>
          {note}
        </p>
      )}
    </div>
  );
}

type InputAttributes = Omit<
  LooseInputHTMLAttributes,
  'value' | 'onInput' | 'onChange' | 'label' | 'class' | 'id' | 'checked' | 'type' | 'role' | 'list'
>;

export interface TextFieldProps extends FieldProps, InputAttributes {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly type?: 'text' | 'password' | 'number' | 'search' | 'date' | 'datetime-local' | 'url';
}

/**
 * A text field: `<TextField label="Name" value={name} onInput={setName} />`. `type`, `placeholder`, `required` and so on are
 * those of `<input>`.
 */
export function TextField(props: TextFieldProps) {
  const { label, hint, error, isLabelHidden, class: added, value, onInput, inputRef, type = 'text', ...rest } = props;
  const frame = { label, hint, error, ...(isLabelHidden && { isLabelHidden }), ...(added && { class: added }) };
  return (
    <Field {...frame}>
      {(control) => (
        <input
          // Preact's types tie roles to each type, but here the type is unknown
          type={type as 'text'}
          spellcheck={false}
          autocomplete="off"
          {...rest}
          {...control}
          class="input"
          value={value}
          {...(inputRef && { ref: inputRef })}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

export interface SelectFieldProps extends FieldProps {
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
  readonly disabled?: boolean;
}

/** A combobox: `<SelectField label="Status" value={status} options={[…]} onChange={setStatus} />`. */
export function SelectField(props: SelectFieldProps) {
  const { value, options, onChange, disabled, ...frame } = props;
  return (
    <Field {...frame}>
      {(control) => (
        <Select {...control} value={value} options={options} onChange={onChange} {...(disabled && { disabled })} />
      )}
    </Field>
  );
}

type SelectProps = Pick<SelectFieldProps, 'value' | 'options' | 'onChange' | 'disabled'> &
  Partial<ControlProps> & { readonly 'aria-label'?: string; readonly class?: string };

/** The control without a visible label: give it an `aria-label`. */
export function Select({ value, options, onChange, class: added, ...rest }: SelectProps) {
  return (
    <span class={`select ${added ?? ''}`}>
      <select {...rest} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="chevron" />
    </span>
  );
}

export interface CheckboxProps {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
}

export function Checkbox({ label, hint, checked, onChange, disabled }: CheckboxProps) {
  const id = useId();
  return (
    <div class="checkbox">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-note` : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p id={`${id}-note`} class="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}

/** Fields that belong together under a common heading, such as the scopes of a key. */
export function FieldGroup(props: {
  readonly legend: string;
  readonly error?: string | undefined;
  readonly children: ComponentChildren;
}) {
  return (
    <fieldset class="field-group">
      <legend>{props.legend}</legend>
      <div class="field-group-body">{props.children}</div>
      {props.error && <p class="field-error">{props.error}</p>}
    </fieldset>
  );
}

export interface SegmentedProps {
  /** Accessible name of the group. */
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
}

/** A choice of two to four options, all of them visible. */
export function Segmented({ label, value, options, onChange }: SegmentedProps) {
  const name = useId();
  return (
    <fieldset class="segmented">
      <legend class="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

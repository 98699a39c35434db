// Edits texts and switches, and as JSON every value that has no other control.
import { useSignal } from '@preact/signals';
import { MIXED } from '../form/target.js';
import { attributesOf, type ControlProps, labelOfChange, placeholderOf, shownValue, useValue } from './control.js';

/** Text fields that may have several lines. */
const MULTILINE = ['text', 'data', 'd', 'textPath', 'clipPath', 'maskImage'];
const MAX_ROWS = 6;

export function TextInput(props: ControlProps<'text'>) {
  const { target, path, field } = props;
  const value = useValue(target, path);
  const text = typeof value === 'string' ? value : '';
  const attributes = {
    ...attributesOf(props),
    spellcheck: false,
    autocomplete: 'off',
    value: text,
    placeholder: placeholderOf(value, field),
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
      const next = currentTarget.value;
      // a required text may be empty; an optional one is removed then
      target.write(
        path,
        next === '' && !field.isRequired && field.name !== 'text' ? undefined : next,
        labelOfChange(field),
      );
    },
    onBlur: () => target.endStep(),
  };
  if (!MULTILINE.includes(field.name)) return <input {...attributes} type="text" class="prop-input" />;
  const rows = Math.min(MAX_ROWS, Math.max(text.split('\n').length, Math.ceil(text.length / 34), 1));
  return <textarea {...attributes} rows={rows} class="prop-input prop-textarea" />;
}

export function SwitchInput(props: ControlProps<'switch'>) {
  const { target, path, field } = props;
  const value = useValue(target, path);
  const isOn = (value === undefined ? field.standard : value) === true;
  return (
    <input
      {...attributesOf(props)}
      class="prop-switch"
      type="checkbox"
      role="switch"
      aria-checked={value === MIXED ? 'mixed' : isOn}
      checked={isOn}
      ref={(element) => {
        if (element) element.indeterminate = value === MIXED;
      }}
      onChange={({ currentTarget }) => {
        target.write(path, currentTarget.checked, labelOfChange(field));
        target.endStep();
      }}
    />
  );
}

export function JsonInput(props: ControlProps) {
  const { target, path, field } = props;
  const value = useValue(target, path);
  const typed = useSignal<string | undefined>(undefined);
  const visibleValue = shownValue(value);
  const text = typed.value ?? target.draft(path) ?? (visibleValue === undefined ? '' : JSON.stringify(visibleValue));
  return (
    <textarea
      {...attributesOf(props)}
      rows={2}
      spellcheck={false}
      class="prop-input prop-textarea prop-code"
      value={text}
      placeholder={value === MIXED ? 'Mixed' : 'JSON'}
      onInput={({ currentTarget }) => {
        typed.value = currentTarget.value;
      }}
      onBlur={() => {
        const { value: next } = typed;
        typed.value = undefined;
        if (next === undefined) return;
        try {
          target.write(path, next.trim() === '' ? undefined : JSON.parse(next), labelOfChange(field));
          target.keepDraft(path, undefined);
        } catch {
          target.keepDraft(path, next);
        }
        target.endStep();
      }}
    />
  );
}

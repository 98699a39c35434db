// Edits a colour or a gradient as text, or with a picker that opens from its swatch.
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { IconButton } from '../../../ui/button.js';
import { lazy } from '../../../ui/lazy.js';
import { attributesOf, type ControlProps, labelOfChange, placeholderOf, useValue } from '../controls/control.js';
import { Popover } from '../controls/popover.js';
import { MIXED } from '../form/target.js';
import { cssColor, isGradient } from '../values/color.js';
import { colorFault } from '../values/color-fault.js';

/** The pickers are large, and few people open them. */
const FillPicker = lazy(
  () => import('./fill-picker.js'),
  (module) => module.FillPicker,
);

const DEFAULT = '#000000';

export function ColorInput(props: ControlProps<'color'>) {
  const { target, path, field, control } = props;
  const value = useValue(target, path);
  const typed = useSignal<string | undefined>(undefined);
  const isOpen = useSignal(false);
  const swatch = useRef<HTMLButtonElement>(null);
  const label = labelOfChange(field);
  const ownColor = typeof value === 'string' ? value : undefined;
  const standard = typeof field.standard === 'string' ? field.standard : undefined;
  const color = ownColor ?? (value === MIXED ? undefined : standard);

  const write = (text: string, isDone: boolean) => {
    const trimmed = text.trim();
    if (trimmed === '') {
      target.keepDraft(path, undefined);
      if (value !== MIXED || isDone) target.write(path, undefined, label);
    } else if (colorFault(trimmed, control.takesGradients) === undefined) {
      target.keepDraft(path, undefined);
      target.write(path, trimmed, label);
    } else if (isDone) target.keepDraft(path, text);
  };
  return (
    <div class="color-input">
      <button
        ref={swatch}
        type="button"
        class="color-swatch"
        aria-label={`Choose ${field.label.toLowerCase()}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen.value}
        disabled={!target.canEdit}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <span style={{ background: color === undefined ? 'none' : paintOf(color) }} />
      </button>
      <input
        {...attributesOf(props)}
        class="prop-input"
        type="text"
        spellcheck={false}
        autocomplete="off"
        value={typed.value ?? target.draft(path) ?? ownColor ?? ''}
        placeholder={placeholderOf(value, field) || 'None'}
        onFocus={(event) => event.currentTarget.select()}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          write(currentTarget.value, false);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || (typed.value === undefined && target.draft(path) === undefined)) return;
          event.stopPropagation();
          typed.value = undefined;
          target.keepDraft(path, undefined);
        }}
        onBlur={() => {
          const next = typed.value;
          typed.value = undefined;
          if (next !== undefined) write(next, true);
          target.endStep();
        }}
      />
      {ownColor !== undefined && !field.isRequired && target.canEdit && (
        <IconButton
          icon="close"
          label={`Remove ${field.label.toLowerCase()}`}
          size="small"
          class="prop-remove"
          onClick={() => {
            target.write(path, undefined, label);
            target.endStep();
            swatch.current?.focus();
          }}
        />
      )}
      {isOpen.value && (
        <Popover
          label={field.label}
          anchor={swatch.current}
          onClose={() => {
            isOpen.value = false;
            target.endStep();
          }}
        >
          <FillPicker
            value={color ?? DEFAULT}
            takesGradients={control.takesGradients}
            onChange={(text) => write(text, false)}
            onEnd={() => target.endStep()}
          />
        </Popover>
      )}
    </div>
  );
}

/** The CSS paint for a colour or gradient. */
const paintOf = (text: string): string => (isGradient(text) ? text : cssColor(text));

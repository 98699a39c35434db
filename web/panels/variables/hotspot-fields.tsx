// The fields of a hotspot or plain variable: its main value and its colours, each with a reset once it is changed.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Json } from '../../document/json.js';
import type { HotspotField } from '../../preview/hotspots.js';
import { IconButton } from '../../ui/button.js';
import { Field, TextField, type TextFieldProps } from '../../ui/field.js';

export interface HotspotFieldsProps {
  readonly field: HotspotField;
  /** Values that the variables give the hotspot, by field. */
  readonly ownValue: Json;
  /** Whether its layer is selected. */
  readonly isSelected: boolean;
  readonly onFocus: () => void;
  /** Sets a field; undefined restores the template's value. */
  readonly onChange: (name: string, value: string | undefined) => void;
  /** Buttons beside a picture's URL that choose or upload a picture. */
  readonly pictureActions?: ComponentChildren;
}

export function HotspotFields(props: HotspotFieldsProps) {
  const { field, ownValue, isSelected, onFocus, onChange, pictureActions } = props;
  const { key, label, main, colors } = field;
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // selecting a layer on the canvas scrolls its fields into view, unless one of them has the focus
    const element = group.current;
    if (isSelected && element && !element.contains(document.activeElement))
      element.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  const known = [main?.field, ...colors.map((color) => color.field)];
  const further = Object.keys(ownValue).filter((name) => !known.includes(name));
  const hint = (
    <>
      <code>{key}</code> · {main ? main.name : 'Shape'}
    </>
  );
  return (
    <div ref={group} class={isSelected ? 'variable variable-selected' : 'variable'} onFocusCapture={onFocus}>
      {main && (
        <Resettable label={label} isChanged={main.field in ownValue} onReset={() => onChange(main.field, undefined)}>
          <MainField
            field={field}
            main={main}
            hint={hint}
            value={main.field in ownValue ? String(ownValue[main.field]) : main.standard}
            onChange={(value) => onChange(main.field, value)}
          />
          {field.type === 'image' && pictureActions}
        </Resettable>
      )}
      {colors.map((color) => {
        const name = main ? `${label}: ${color.name.toLowerCase()}` : label;
        const isChanged = color.field in ownValue;
        return (
          <Resettable
            key={color.field}
            label={name}
            isChanged={isChanged}
            onReset={() => onChange(color.field, undefined)}
          >
            <ColorField
              label={name}
              hint={main ? undefined : hint}
              value={isChanged ? String(ownValue[color.field]) : color.standard}
              onInput={(value) => onChange(color.field, value.trim() === '' ? undefined : value.trim())}
            />
          </Resettable>
        );
      })}
      {further.map((name) => (
        <Resettable key={name} label={`${label}: ${name}`} isChanged onReset={() => onChange(name, undefined)}>
          <p class="variable-further">
            <code>{name}</code> {JSON.stringify(ownValue[name])}
          </p>
        </Resettable>
      ))}
    </div>
  );
}

interface ResettableProps {
  readonly label: string;
  readonly isChanged: boolean;
  readonly onReset: () => void;
  readonly children: ComponentChildren;
}

function Resettable({ label, isChanged, onReset, children }: ResettableProps) {
  return (
    <div class={isChanged ? 'variable-field variable-changed' : 'variable-field'}>
      {children}
      {isChanged && <IconButton icon="undo" size="small" label={`Reset ${label}`} onClick={onReset} />}
    </div>
  );
}

interface MainFieldProps {
  readonly field: HotspotField;
  readonly main: NonNullable<HotspotField['main']>;
  readonly hint: ComponentChildren;
  readonly value: string;
  readonly onChange: (value: string | undefined) => void;
}

function MainField({ field: { label, type }, main, hint, value, onChange }: MainFieldProps) {
  if (type === 'text') {
    return (
      <Field label={label} hint={hint}>
        {(control) => (
          <textarea
            {...control}
            class="input variable-text"
            rows={Math.min(4, value.split('\n').length)}
            value={value}
            onInput={({ currentTarget }) =>
              onChange(currentTarget.value === main.standard ? undefined : currentTarget.value)
            }
          />
        )}
      </Field>
    );
  }
  return (
    <DraftField
      label={label}
      hint={hint}
      type={type === 'image' ? 'url' : 'text'}
      placeholder={type === 'image' ? 'https:// or asset:' : ''}
      value={value}
      onInput={(next) => onChange(next === '' || next === main.standard ? undefined : next)}
    />
  );
}

/** A text field that stays empty after it is cleared for a new text, although an empty value means the template's own. */
function DraftField({ value, onInput, ...rest }: TextFieldProps) {
  const [draft, setDraft] = useState<string>();
  return (
    <TextField
      {...rest}
      value={draft ?? value}
      onInput={(next) => {
        setDraft(next);
        onInput(next);
      }}
      onBlur={() => setDraft(undefined)}
    />
  );
}

interface ColorFieldProps {
  readonly label: string;
  readonly hint: ComponentChildren;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** A colour as text, with the system's picker for colours without transparency. */
export function ColorField({ label, hint, value, onInput }: ColorFieldProps) {
  const id = useId();
  return (
    <div class="color-field">
      <DraftField label={label} hint={hint} value={value} onInput={onInput} />
      <input
        id={id}
        type="color"
        class="color-picker"
        aria-label={`${label}, picker`}
        value={hexOf(value)}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </div>
  );
}

/** Writes `#rgb` and `#rrggbb` as the picker takes them; black for other colours. */
function hexOf(value: string): string {
  const [, short, long] = /^#(?:([0-9a-f]{3})|([0-9a-f]{6}))$/i.exec(value.trim()) ?? [];
  if (long) return `#${long.toLowerCase()}`;
  return short ? `#${[...short.toLowerCase()].map((digit) => digit + digit).join('')}` : '#000000';
}

// A form with a field for every hotspot of a template.
import { useId } from 'preact/hooks';
import type { HotspotField, Values } from '../../preview/hotspots.js';
import { Button } from '../../ui/button.js';
import { Field, TextField } from '../../ui/field.js';
import { Card } from '../../ui/page.js';

export interface VariablesFormProps {
  readonly fields: readonly HotspotField[];
  readonly values: Values;
  readonly onChange: (values: Values) => void;
}

export function VariablesForm({ fields, values, onChange }: VariablesFormProps) {
  const isFilled = Object.values(values).some((value) => Object.keys(value).length > 0);
  const set = (key: string, field: string, value: string | undefined) => {
    const { [field]: _before, ...others } = values[key] ?? {};
    onChange({ ...values, [key]: value === undefined ? others : { ...others, [field]: value } });
  };
  return (
    <Card
      title="Variables"
      class="variables-card"
      actions={
        <Button size="small" kind="quiet" disabled={!isFilled} onClick={() => onChange({})}>
          Reset
        </Button>
      }
    >
      {fields.length === 0 ? (
        <p class="faint">
          This template has no hotspots. Give a layer a <code>key</code> to fill it with a variable.
        </p>
      ) : (
        <div class="variables">
          {fields.map((field, index) => (
            // keys may repeat while they are written
            <HotspotFields
              key={`${index} ${field.key}`}
              field={field}
              given={values[field.key] ?? {}}
              onChange={(name, value) => set(field.key, name, value)}
            />
          ))}
        </div>
      )}
    </Card>
  );
}

interface HotspotFieldsProps {
  readonly field: HotspotField;
  readonly given: Readonly<Record<string, string>>;
  readonly onChange: (field: string, value: string | undefined) => void;
}

function HotspotFields({ field: { key, label, type, main, colors }, given, onChange }: HotspotFieldsProps) {
  const hint = (
    <>
      <code>{key}</code> · {main ? main.name : 'Shape'}
    </>
  );
  return (
    <div class="variable">
      {main && type === 'text' && (
        <Field label={label} hint={hint}>
          {(control) => (
            <textarea
              {...control}
              class="input variable-text"
              rows={Math.min(4, (given[main.field] ?? main.standard).split('\n').length)}
              value={given[main.field] ?? main.standard}
              onInput={({ currentTarget: { value } }) =>
                onChange(main.field, value === main.standard ? undefined : value)
              }
            />
          )}
        </Field>
      )}
      {main && type !== 'text' && (
        <TextField
          label={label}
          hint={hint}
          type={type === 'image' ? 'url' : 'text'}
          placeholder={type === 'image' ? 'https:// or asset:' : ''}
          value={given[main.field] ?? main.standard}
          onInput={(value) => onChange(main.field, value === '' || value === main.standard ? undefined : value)}
        />
      )}
      {colors.map((color) => (
        <ColorField
          key={color.field}
          label={main ? `${label}: ${color.name.toLowerCase()}` : label}
          hint={main ? undefined : hint}
          value={given[color.field] ?? color.standard}
          onInput={(value) =>
            onChange(color.field, value.trim() === '' || value === color.standard ? undefined : value.trim())
          }
        />
      ))}
    </div>
  );
}

interface ColorFieldProps {
  readonly label: string;
  readonly hint: preact.ComponentChildren;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** Any colour as text, with the system's picker for those without transparency. */
function ColorField({ label, hint, value, onInput }: ColorFieldProps) {
  const id = useId();
  return (
    <div class="color-field">
      <TextField label={label} hint={hint} value={value} onInput={onInput} />
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

/** `#rgb` and `#rrggbb` as the picker takes them; black for others. */
function hexOf(value: string): string {
  const [, short, long] = /^#(?:([0-9a-f]{3})|([0-9a-f]{6}))$/i.exec(value.trim()) ?? [];
  if (long) return `#${long.toLowerCase()}`;
  return short ? `#${[...short.toLowerCase()].map((digit) => digit + digit).join('')}` : '#000000';
}

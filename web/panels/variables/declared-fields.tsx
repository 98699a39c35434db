// The fields of declared variables: a control for each type, and a table for a list.
import type { LayerFinding, OpenEditor } from '../../canvas/open-editor.js';
import { isObject, type Json } from '../../document/json.js';
import { IconButton } from '../../ui/button.js';
import { Checkbox, FieldGroup, SelectField, TextField } from '../../ui/field.js';
import { PictureButtons } from '../assets/asset-picker.js';
import { currentValue, type DeclaredField, textOfValue, valueOfText } from './declared.js';
import { ColorField } from './hotspot-fields.js';
import { ListTable } from './list-table.js';

interface DeclaredFieldsProps {
  readonly editor: OpenEditor;
  readonly fields: readonly DeclaredField[];
}

/** A section with the declared variables that no hotspot has. */
export function DeclaredFields({ editor, fields }: DeclaredFieldsProps) {
  const { variables } = editor;
  return (
    <>
      {fields.map((field) => (
        <DeclaredInput
          key={field.name}
          field={field}
          value={currentValue(field, variables.value)}
          isChanged={Object.hasOwn(variables.value, field.name)}
          canUpload={editor.canEdit}
          faults={faultsOf(editor, ['variables', field.name])}
          onChange={(value) => {
            const { [field.name]: _, ...others } = variables.peek();
            variables.value = value === undefined ? others : { ...others, [field.name]: value };
          }}
        />
      ))}
    </>
  );
}

const faultsOf = ({ findings }: OpenEditor, path: readonly string[]): readonly LayerFinding[] =>
  findings.value.filter(({ node, field }) => !node && path.every((key, index) => field[index] === key));

interface InputProps {
  readonly field: DeclaredField;
  readonly value: unknown;
  readonly isChanged: boolean;
  readonly canUpload: boolean;
  readonly faults: readonly LayerFinding[];
  /** Sets the value; undefined restores the default. */
  readonly onChange: (value: unknown) => void;
}

function DeclaredInput(props: InputProps) {
  const { field, isChanged, onChange } = props;
  return (
    <div class={isChanged ? 'variable variable-field variable-changed' : 'variable variable-field'}>
      <Control {...props} />
      {isChanged && (
        <IconButton icon="undo" size="small" label={`Reset ${field.label}`} onClick={() => onChange(undefined)} />
      )}
    </div>
  );
}

function Control(props: InputProps) {
  const { field, value, canUpload, faults, onChange } = props;
  const { label, type, description, name } = field;
  const error = faults.find(({ severity }) => severity === 'error')?.message;
  const hint = description ?? (
    <>
      <code>{name}</code> · {type}
    </>
  );
  const note = { label, hint, error };
  if (type === 'array') {
    const isWrong = (row: number, column: DeclaredField) =>
      faults.some(({ field: path }) => path[2] === row && (path[3] === undefined || path[3] === column.name));
    return <ListTable field={field} value={value} error={error} isWrong={isWrong} onChange={onChange} />;
  }
  if (type === 'object' && field.fields.length > 0) {
    const own: Json = isObject(value) ? value : {};
    return (
      <FieldGroup legend={label} error={error}>
        {field.fields.map((each) => (
          <Control
            key={each.name}
            {...props}
            field={each}
            value={own[each.name]}
            faults={[]}
            onChange={(next) => onChange({ ...own, [each.name]: next ?? null })}
          />
        ))}
      </FieldGroup>
    );
  }
  if (type === 'boolean') return <Checkbox label={label} hint={hint} checked={value === true} onChange={onChange} />;
  if (type === 'enum') {
    const options = ['', ...field.choices].map((choice) => ({ value: choice, label: choice }));
    return (
      <SelectField {...note} value={textOfValue(value)} options={options} onChange={(text) => onChange(text || null)} />
    );
  }
  const text = textOfValue(value);
  const set = (next: string) => onChange(valueOfText(field, next));
  if (type === 'color') return <ColorField label={label} hint={error ?? hint} value={text} onInput={set} />;
  return (
    <>
      <TextField
        {...note}
        value={text}
        onInput={set}
        {...(PLACEHOLDERS[type] && { placeholder: PLACEHOLDERS[type] })}
      />
      {type === 'image' && <PictureButtons label={label} canUpload={canUpload} onChoose={onChange} />}
    </>
  );
}

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  image: 'https:// or asset:',
  date: '2026-01-31',
  locale: 'de-CH',
};

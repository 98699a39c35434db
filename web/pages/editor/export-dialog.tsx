// The dialog Export: the engine makes a file of the picture in the page, in any format. Its fields hold for this file alone.
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { toast } from '../../app/announce.js';
import { formatBytes } from '../../app/format.js';
import type { OpenEditor } from '../../canvas/open-editor.js';
import { isObject, type Json, textOf, valueAt } from '../../document/json.js';
import type { Source } from '../../engine/messages.js';
import type { Finding } from '../../json/findings.js';
import type { FormField } from '../../panels/properties/form/controls.js';
import { templateFields } from '../../panels/properties/form/data.js';
import { inWords } from '../../panels/properties/form/words.js';
import { fileName, saveFile } from '../../preview/download.js';
import { DOCUMENT_FORMATS, FORMATS, isDocument } from '../../preview/formats.js';
import { type Format, faultsOf } from '../../preview/live-preview.js';
import { FormDialog } from '../../ui/dialog.js';
import { Alert } from '../../ui/feedback.js';
import { Checkbox, FieldGroup, SelectField, TextField } from '../../ui/field.js';

const EXPORTED = [...FORMATS, ...DOCUMENT_FORMATS];

/** The format of the last file, which the next one probably has, too. */
const lastFormat = signal<Format | undefined>(undefined);

/** The fields of `document` that have an effect in one format alone. */
const ONLY_IN: Readonly<Record<string, Format>> = {
  text: 'svg',
  idPrefix: 'svg',
  author: 'pdf',
  subject: 'pdf',
  keywords: 'pdf',
  date: 'pdf',
  bleed: 'pdf',
  cropMarks: 'pdf',
  conformance: 'pdf',
};

function documentFields(): readonly FormField[] {
  const control = templateFields().find(({ name }) => name === 'document')?.control;
  return control?.kind === 'group' ? control.fields : [];
}

/** The fields that have an effect in a format. The texts come first: they are what people fill in. */
function fieldsOf(format: Format): readonly FormField[] {
  if (!isDocument(format)) return [];
  const fields = documentFields().filter(({ name }) => (ONLY_IN[name] ?? format) === format);
  return [...fields.filter(isText), ...fields.filter((field) => !isText(field))];
}

const isText = ({ control }: FormField): boolean => control.kind === 'text';

/** What was typed into the fields of `document`, by their names. */
type Values = Readonly<Record<string, FieldValue>>;
type FieldValue = string | boolean | readonly string[];

/** The record's `document` with the values of the fields. An empty field has none. */
function documentWith(record: Json, values: Values): Json {
  const document: Record<string, unknown> = { ...(isObject(record.document) && record.document) };
  for (const { name, control } of documentFields()) {
    const value = values[name];
    if (value === '' || (Array.isArray(value) && value.length === 0)) delete document[name];
    else if (value !== undefined) document[name] = control.kind === 'number' ? Number(value) : value;
  }
  return document;
}

/** The record with a scale, in the size that is drawn. */
function withScale(record: Json, size: string | undefined, scale: number): Json {
  if (size === undefined) return { ...record, scale };
  const sizes = isObject(record.sizes) ? record.sizes : {};
  return { ...record, sizes: { ...sizes, [size]: { ...(sizes[size] as Json), scale } } };
}

function scaleOf(record: Json, size: string | undefined): number {
  const own = size === undefined ? undefined : valueAt(record, ['sizes', size, 'scale']);
  return Number(own ?? record.scale ?? 1);
}

export interface ExportDialogProps {
  readonly editor: OpenEditor;
  /** The format and quality that the panel Output has. */
  readonly output: { readonly format: Format; readonly quality: number };
  readonly onClose: () => void;
}

export function ExportDialog({ editor, output, onClose }: ExportDialogProps) {
  const { engine, preview } = editor;
  const picture = preview.latestPicture.value;
  const record = (picture?.source.payload ?? {}) as Json;
  const size = picture?.source.size;
  const [format, setFormat] = useState<Format>(lastFormat.value ?? output.format);
  const [quality, setQuality] = useState(`${output.quality}`);
  const [scale, setScale] = useState<string>();
  const [values, setValues] = useState<Values>({});
  const [fault, setFault] = useState<Finding>();
  const [isBusy, setBusy] = useState(false);
  const closing = useRef(new AbortController());
  useEffect(() => () => closing.current.abort(), []);

  const ownScale = scaleOf(record, size);
  const fields = fieldsOf(format);
  const { name: formatName } = EXPORTED.find(({ id }) => id === format)!;
  const ownFault = (path: string) => (fault?.path === path ? fault.message : undefined);
  const hasField =
    fault !== undefined && ['scale', ...fields.map(({ name }) => `document.${name}`)].includes(fault.path);

  const exportFile = async () => {
    if (!picture) return;
    const { variables } = picture.source;
    const payload = {
      ...(scale === undefined ? record : withScale(record, size, Number(scale))),
      ...(isDocument(format) && { document: documentWith(record, values) }),
    };
    const source: Source = { payload, variables, size };
    const { signal } = closing.current;
    setFault(undefined);
    setBusy(true);
    try {
      const options = { format, quality: Number(quality), use: 'file', signal } as const;
      const { bytes, mimeType } = await engine.encode(source, options);
      const name = fileName(textOf(record.name) ?? '', format);
      saveFile(bytes, name, mimeType);
      lastFormat.value = format;
      toast(`Exported ${name}, ${formatBytes(bytes.length)}`);
      onClose();
    } catch (error) {
      if (!signal.aborted) setFault(faultsOf(error)[0]);
    } finally {
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title="Export"
      confirm="Export"
      size="medium"
      isReady={picture !== undefined}
      onConfirm={exportFile}
      onClose={onClose}
    >
      <div class="export-fields">
        <SelectField
          label="Format"
          value={format}
          options={EXPORTED.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(value) => {
            setFormat(value as Format);
            setFault(undefined);
          }}
        />
        <TextField
          label="Scale"
          type="number"
          min={0}
          step="any"
          value={scale ?? `${ownScale}`}
          onInput={setScale}
          error={ownFault('scale')}
          hint={picture && pixelsAt(picture, Number(scale ?? ownScale) / ownScale)}
        />
        {!isDocument(format) && format !== 'png' && (
          <TextField label="Quality" type="number" min={1} max={100} value={quality} onInput={setQuality} />
        )}
        {fields.map((field) => (
          <DocumentField
            key={field.name}
            field={field}
            value={values[field.name] ?? valueAt(record, ['document', field.name])}
            placeholder={field.name === 'title' ? textOf(record.name) : undefined}
            error={ownFault(`document.${field.name}`)}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
      </div>
      {isBusy && (
        <div role="status" class="export-progress">
          <span>Making the {formatName} …</span>
          <progress aria-label={`Making the ${formatName}`} />
        </div>
      )}
      {fault && !hasField && <Alert>{fault.path ? `${fault.path}: ${fault.message}` : fault.message}</Alert>}
    </FormDialog>
  );
}

const pixelsAt = ({ width, height }: { readonly width: number; readonly height: number }, ratio: number) =>
  ratio > 0 && Number.isFinite(ratio)
    ? `${Math.round(width * ratio)} × ${Math.round(height * ratio)} pixels`
    : undefined;

interface DocumentFieldProps {
  readonly field: FormField;
  readonly value: unknown;
  readonly placeholder?: string | undefined;
  readonly error?: string | undefined;
  readonly onChange: (value: FieldValue) => void;
}

function DocumentField({ field: { label, hint, control }, value, placeholder, error, onChange }: DocumentFieldProps) {
  // the dialog has only the fields of its format
  const words = hint?.replace(/^(?:SVG|PDF): /, '');
  if (control.kind === 'switch') {
    return <Checkbox label={label} hint={words} checked={value === true} onChange={onChange} />;
  }
  if (control.kind === 'choice') {
    const options = control.choices.map((choice) => ({ value: choice, label: inWords(choice) }));
    const none = { value: '', label: 'Default' };
    return (
      <SelectField
        label={label}
        hint={words}
        error={error}
        value={String(value ?? '')}
        options={[none, ...options]}
        onChange={onChange}
      />
    );
  }
  if (control.kind === 'oneOrMore' && control.item.kind === 'choice') {
    const { choices } = control.item;
    const chosen = [value].flat();
    return (
      <FieldGroup legend={label} error={error}>
        {choices.map((choice) => (
          <Checkbox
            key={choice}
            label={inWords(choice)}
            checked={chosen.includes(choice)}
            onChange={(isChosen) =>
              onChange(choices.filter((each) => (each === choice ? isChosen : chosen.includes(each))))
            }
          />
        ))}
      </FieldGroup>
    );
  }
  const common = { label, hint: words, error, value: String(value ?? ''), onInput: onChange };
  if (control.kind === 'number') {
    return <TextField {...common} type="number" step="any" min={control.least} max={control.most} />;
  }
  return <TextField {...common} placeholder={placeholder} />;
}

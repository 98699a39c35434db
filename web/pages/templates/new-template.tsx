// The dialog that creates a template: a blank one, or from a starter.
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { TemplateAnswer } from '../../../lib/contract/api/templates.js';
import { FormDialog } from '../../ui/dialog.js';
import { Alert } from '../../ui/feedback.js';
import { TextField } from '../../ui/field.js';
import { Thumbnail } from '../../ui/thumbnail.js';
import { createTemplate } from './records.js';
import { BLANK, loadStarters, type Starter } from './starters.js';

/** Sizes in pixels; paper at 96 per inch. */
const USUAL_SIZES = [
  { name: 'Open Graph', width: 1200, height: 630 },
  { name: 'Square post', width: 1080, height: 1080 },
  { name: 'Portrait post', width: 1080, height: 1350 },
  { name: 'Story', width: 1080, height: 1920 },
  { name: 'Video thumbnail', width: 1280, height: 720 },
  { name: 'Full HD', width: 1920, height: 1080 },
  { name: 'A4', width: 794, height: 1123 },
  { name: 'A4 landscape', width: 1123, height: 794 },
] as const;

export interface NewTemplateProps {
  readonly onClose: () => void;
  readonly onCreated: (template: TemplateAnswer) => void;
}

export function NewTemplate({ onClose, onCreated }: NewTemplateProps) {
  const [starters, setStarters] = useState<readonly Starter[]>([BLANK]);
  const [failure, setFailure] = useState<Error>();
  const [starter, setStarter] = useState(BLANK);
  const [name, setName] = useState('');
  const [width, setWidth] = useState('1200');
  const [height, setHeight] = useState('630');
  useEffect(() => {
    loadStarters().then((loaded) => setStarters([BLANK, ...loaded]), setFailure);
  }, []);
  const isBlank = starter === BLANK;
  const record = {
    ...starter.record,
    name: name.trim() || starter.record.name,
    ...(isBlank && { width: Number(width), height: Number(height) }),
  };
  return (
    <FormDialog
      title="New template"
      confirm="New template"
      size="large"
      onClose={onClose}
      onConfirm={async () => onCreated(await createTemplate(JSON.stringify(record), false))}
    >
      {failure && <Alert>The starters can’t be loaded: {failure.message}</Alert>}
      <div class="template-fields">
        <TextField label="Name" value={name} onInput={setName} placeholder={starter.record.name} maxLength={200} />
        {isBlank && (
          <>
            <TextField label="Width" type="number" min={1} max={8192} required value={width} onInput={setWidth} />
            <TextField label="Height" type="number" min={1} max={8192} required value={height} onInput={setHeight} />
          </>
        )}
      </div>
      {isBlank && (
        <UsualSizes
          width={Number(width)}
          height={Number(height)}
          onSelect={(size) => {
            setWidth(String(size.width));
            setHeight(String(size.height));
          }}
        />
      )}
      <Starters starters={starters} starter={starter} onSelect={setStarter} />
    </FormDialog>
  );
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface UsualSizesProps extends Size {
  readonly onSelect: (size: Size) => void;
}

function UsualSizes({ width, height, onSelect }: UsualSizesProps) {
  return (
    <div class="template-sizes" role="group" aria-label="Usual sizes">
      {USUAL_SIZES.map((size) => (
        <button
          key={size.name}
          type="button"
          class="button button-small"
          aria-pressed={size.width === width && size.height === height}
          title={`${size.width} × ${size.height}`}
          onClick={() => onSelect(size)}
        >
          {size.name}
        </button>
      ))}
    </div>
  );
}

interface StartersProps {
  readonly starters: readonly Starter[];
  readonly starter: Starter;
  readonly onSelect: (starter: Starter) => void;
}

/** Returns the option that a key leads to from the one at `at`: the next, or the one below or above it. */
function indexAfter(key: string, at: number, options: readonly HTMLElement[]): number | undefined {
  const top = options[0]?.offsetTop;
  const columns = options.filter(({ offsetTop }) => offsetTop === top).length;
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
    Home: -options.length,
    End: options.length,
  };
  const step = steps[key];
  return step === undefined ? undefined : Math.max(0, Math.min(options.length - 1, at + step));
}

/** A choice of one option; arrow keys move the selection and the focus, Enter accepts it. */
function Starters({ starters, starter, onSelect }: StartersProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const options = () => [...(list.current?.querySelectorAll<HTMLElement>('[role=option]') ?? [])];
  useEffect(() => options()[0]?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    const index = indexAfter(event.key, starters.indexOf(starter), options());
    if (event.key === 'Enter') list.current?.closest('form')?.requestSubmit();
    else if (index === undefined) return;
    event.preventDefault();
    const next = index === undefined ? undefined : starters[index];
    if (index === undefined || !next || next === starter) return;
    onSelect(next);
    options()[index]?.focus();
  };
  return (
    <div class="field">
      <span id={id} class="field-label">
        Start from
      </span>
      <div ref={list} class="starters" role="listbox" aria-labelledby={id} tabIndex={-1} onKeyDown={onKeyDown}>
        {starters.map((each, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
          <div
            key={each.name}
            role="option"
            class="starter"
            aria-describedby={`${id}-about-${index}`}
            aria-selected={each === starter}
            tabIndex={each === starter ? 0 : -1}
            onClick={() => onSelect(each)}
            onDblClick={(event) => event.currentTarget.closest('form')?.requestSubmit()}
          >
            {/* its name and, as the description, what it is for are all that is said of it */}
            <span class="starter-picture" aria-hidden="true">
              <Thumbnail source={{ payload: each.record }} />
            </span>
            <span class="starter-name">{each.name}</span>
            <span id={`${id}-about-${index}`} class="starter-about" aria-hidden="true">
              {each.about}
            </span>
            <span class="starter-size" aria-hidden="true">
              {each.record.width} × {each.record.height}
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}

// The dialog that makes a template: from nothing, or from a starter.
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { TemplateAnswer } from '../../../lib/contract/api/templates.js';
import { FormDialog } from '../../ui/dialog.js';
import { TextField } from '../../ui/field.js';
import { Thumbnail } from '../../ui/thumbnail.js';
import { createTemplate } from './records.js';
import { STARTERS, type Starter } from './starters.js';

export interface NewTemplateProps {
  readonly onClose: () => void;
  readonly onCreated: (template: TemplateAnswer) => void;
}

export function NewTemplate({ onClose, onCreated }: NewTemplateProps) {
  const [starter, setStarter] = useState(STARTERS[0]);
  const [name, setName] = useState('');
  const [width, setWidth] = useState('1200');
  const [height, setHeight] = useState('630');
  if (!starter) return null;
  const isBlank = starter === STARTERS[0];
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
      <Starters starter={starter} onSelect={setStarter} />
      <div class="template-fields">
        <TextField label="Name" value={name} onInput={setName} placeholder={starter.record.name} maxLength={200} />
        {isBlank && (
          <>
            <TextField label="Width" type="number" min={1} max={8192} required value={width} onInput={setWidth} />
            <TextField label="Height" type="number" min={1} max={8192} required value={height} onInput={setHeight} />
          </>
        )}
      </div>
    </FormDialog>
  );
}

interface StartersProps {
  readonly starter: Starter;
  readonly onSelect: (starter: Starter) => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** One option of all; arrow keys move the selection and the focus, Enter takes it. */
function Starters({ starter, onSelect }: StartersProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const focusOn = (index: number) => list.current?.querySelectorAll<HTMLElement>('[role=option]')[index]?.focus();
  useEffect(() => focusOn(0), []);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = STARTERS.indexOf(starter);
    const step = STEPS[event.key];
    if (event.key === 'Enter') list.current?.closest('form')?.requestSubmit();
    else if (step === undefined && event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    const last = STARTERS.length - 1;
    const wanted = event.key === 'Home' ? 0 : event.key === 'End' ? last : at + (step ?? 0);
    const index = Math.max(0, Math.min(last, wanted));
    const next = STARTERS[index];
    if (!next || next === starter) return;
    onSelect(next);
    focusOn(index);
  };
  return (
    <div class="field">
      <span id={id} class="field-label">
        Start from
      </span>
      <div ref={list} class="starters" role="listbox" aria-labelledby={id} tabIndex={-1} onKeyDown={onKeyDown}>
        {STARTERS.map((each) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
          <div
            key={each.name}
            role="option"
            class="starter"
            aria-selected={each === starter}
            tabIndex={each === starter ? 0 : -1}
            onClick={() => onSelect(each)}
            onDblClick={(event) => event.currentTarget.closest('form')?.requestSubmit()}
          >
            {/* the name is all that is said of it */}
            <span class="starter-picture" aria-hidden="true">
              <Thumbnail source={{ payload: each.record }} />
            </span>
            <span class="starter-name">{each.name}</span>
            <span class="starter-size" aria-hidden="true">
              {each.record.width} × {each.record.height}
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}

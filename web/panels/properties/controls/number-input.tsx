// Edits a number: by typing, with sums, units and words; in steps by arrow keys; by dragging its label.
import { useSignal } from '@preact/signals';
import type { TargetedPointerEvent } from 'preact';
import { useRef } from 'preact/hooks';
import type { Path } from '../../../document/json.js';
import type { FormField, NumberControl } from '../form/controls.js';
import { type FormTarget, MIXED } from '../form/target.js';
import { expectation, isPlainNumber, numberIn, numberText, readNumber, stepped } from '../values/number-text.js';
import { attributesOf, type ControlProps, labelOfChange, placeholderOf, shownValue, useValue } from './control.js';

/** Steps of fields with small values. */
const STEPS: Readonly<Record<string, number>> = {
  opacity: 0.05,
  innerRadius: 0.05,
  lineHeight: 0.1,
  aspectRatio: 0.1,
  scale: 0.5,
  size: 0.01,
};

function stepOf(name: string, { units }: NumberControl, value: unknown): number {
  const { unit } = numberIn(value);
  return Object.hasOwn(STEPS, name) && !(unit !== '' && units.includes(unit)) ? STEPS[name]! : 1;
}

interface Modifiers {
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

const factorOf = ({ shiftKey, altKey }: Modifiers): number => (shiftKey ? 10 : altKey ? 0.1 : 1);

/** Changes the number of each layer by a step; a layer without a number starts at the default. */
function step(target: FormTarget, path: Path, field: FormField, control: NumberControl, factor: number): void {
  target.keepDraft(path, undefined);
  target.update(
    path,
    (value) => {
      const from = numberIn(value).number === undefined ? field.standard : value;
      return stepped(from, stepOf(field.name, control, from) * factor, control);
    },
    labelOfChange(field),
  );
}

/** Says why the typed text can't become the field's value. */
export function numberFault(target: FormTarget, path: Path, field: FormField, control: NumberControl) {
  const draft = target.draft(path);
  if (draft === undefined) return undefined;
  const read = readNumber(draft, control);
  if ('fault' in read) return read.fault;
  return field.isRequired && read.value === undefined ? expectation(control) : undefined;
}

export function NumberInput(props: ControlProps<'number'>) {
  const { target, path, field, control } = props;
  const value = useValue(target, path);
  /** The typed text while the field has the focus. */
  const typed = useSignal<string | undefined>(undefined);
  const label = labelOfChange(field);
  const text = typed.value ?? target.draft(path) ?? numberText(shownValue(value));

  /** Writes the typed text if it is a valid value. With `isDone`, evaluates sums, and keeps invalid text with its fault. */
  const write = (next: string, isDone: boolean) => {
    // it may be the start of another number
    if (!isDone && next.trim() === '') return;
    const isRelative = /^\s*[-+*/]=/.test(next);
    const read = readNumber(next, control, isRelative ? 0 : undefined);
    const isMissing = field.isRequired && 'value' in read && read.value === undefined;
    if ('fault' in read || isMissing) {
      // a sum has no fault before it is complete
      if (isDone || !isRelative) target.keepDraft(path, isMissing && value === MIXED ? undefined : next);
      return;
    }
    if (!isDone && !isPlainNumber(next) && !control.words.includes(next.trim())) return;
    target.keepDraft(path, undefined);
    if (isRelative) {
      target.update(path, (own) => resultOf(readNumber(next, control, own ?? field.standard), own), label);
    } else if (next.trim() !== '' || value !== MIXED) target.write(path, read.value, label);
  };
  const finish = () => {
    const { value: next } = typed;
    typed.value = undefined;
    if (next !== undefined) write(next, true);
    target.endStep();
  };
  return (
    <input
      {...attributesOf(props)}
      class="prop-input"
      type="text"
      inputMode="decimal"
      autocomplete="off"
      spellcheck={false}
      value={text}
      placeholder={placeholderOf(value, field)}
      onFocus={(event) => event.currentTarget.select()}
      onInput={({ currentTarget }) => {
        typed.value = currentTarget.value;
        write(currentTarget.value, false);
      }}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          finish();
          event.currentTarget.select();
        } else if (event.key === 'Escape' && (typed.value !== undefined || target.draft(path) !== undefined)) {
          event.stopPropagation();
          typed.value = undefined;
          target.keepDraft(path, undefined);
        } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
          event.preventDefault();
          if (typed.value !== undefined) write(typed.value, true);
          typed.value = undefined;
          step(target, path, field, control, (event.key === 'ArrowUp' ? 1 : -1) * factorOf(event));
        }
      }}
    />
  );
}

const resultOf = (read: ReturnType<typeof readNumber>, otherwise: unknown): unknown =>
  'fault' in read ? otherwise : read.value;

/** Pixels that the pointer must move before a press becomes a drag. */
const MIN_DRAG = 3;

/** Lets people drag the label of a number: each pixel is a step. */
export function useScrub(target: FormTarget, path: Path, field: FormField) {
  const drag = useRef<{ x: number; isDragging: boolean } | undefined>(undefined);
  const { control } = field;
  if (control.kind !== 'number' || !target.canEdit) return undefined;
  type Event = TargetedPointerEvent<HTMLElement>;
  return {
    onPointerDown(event: Event) {
      if (event.button !== 0) return;
      drag.current = { x: event.clientX, isDragging: false };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: Event) {
      const start = drag.current;
      if (!start) return;
      const moved = Math.trunc(event.clientX - start.x);
      if (!start.isDragging && Math.abs(moved) < MIN_DRAG) return;
      start.isDragging = true;
      if (moved === 0) return;
      start.x += moved;
      step(target, path, field, control, moved * factorOf(event));
    },
    onLostPointerCapture() {
      if (drag.current?.isDragging) target.endStep();
      drag.current = undefined;
    },
  };
}

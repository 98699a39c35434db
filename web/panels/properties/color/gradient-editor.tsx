// Edits a gradient: its stops on a bar, its angle, and the colour of the chosen stop.
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { IconButton } from '../../../ui/button.js';
import { cssColor, parseColor } from '../values/color.js';
import {
  addStop,
  angleOf,
  type GradientModel,
  gradientText,
  moveStop,
  offsets,
  removeStop,
  withAngle,
} from '../values/gradient.js';
import { evaluate } from '../values/number-text.js';
import { keyMove } from './sliders.js';
import { SolidPicker } from './solid-picker.js';

export interface GradientEditorProps {
  readonly gradient: GradientModel;
  readonly swatches: readonly string[];
  readonly onChange: (text: string) => void;
  readonly onEnd: () => void;
}

export function GradientEditor({ gradient, swatches, onChange, onEnd }: GradientEditorProps) {
  const selected = useSignal(0);
  const bar = useRef<HTMLDivElement>(null);
  const places = offsets(gradient);
  const { stops, kind } = gradient;
  const current = Math.min(selected.value, stops.length - 1);
  const change = (next: GradientModel) => onChange(gradientText(next));
  const colored = stops.flatMap(({ color }, index) => (color === undefined ? [] : [index]));
  const move = (index: number, offset: number) => {
    const [next, moved] = moveStop(gradient, index, offset);
    selected.value = moved;
    change(next);
  };
  const offsetAt = (clientX: number) => {
    const { left, width } = bar.current!.getBoundingClientRect();
    return Math.min(100, Math.max(0, ((clientX - left) / width) * 100));
  };
  const add = (offset: number) => {
    const [next, added] = addStop(gradient, offset);
    selected.value = added;
    change(next);
    onEnd();
  };
  const remove = (index: number) => {
    selected.value = Math.max(0, index - 1);
    change(removeStop(gradient, index));
    onEnd();
    bar.current?.querySelector<HTMLElement>('[role="slider"]')?.focus();
  };
  // the bar shows the stops along its length, whatever the gradient's kind
  const painted = colored.map((index) => `${cssColor(stops[index]!.color!)} ${places[index]}%`).join(', ');
  const stop = stops[current];
  return (
    <div class="gradient">
      <div
        ref={bar}
        class="gradient-bar"
        onPointerDown={(event) => {
          if (event.target === event.currentTarget && event.button === 0) add(offsetAt(event.clientX));
        }}
        style={{ '--gradient': `linear-gradient(90deg, ${painted})` }}
      >
        {stops.map(({ color }, index) => (
          <Stop
            // stops have no identity but their index
            key={index}
            number={colored.indexOf(index) + 1}
            color={color}
            offset={places[index]!}
            isCurrent={index === current}
            onSelect={() => {
              selected.value = index;
            }}
            onMove={(offset) => move(index, offset)}
            onRemove={() => remove(index)}
            onEnd={onEnd}
            offsetAt={offsetAt}
          />
        ))}
      </div>
      <div class="color-row">
        {kind !== 'radial' && (
          <Angle value={angleOf(gradient)} onChange={(angle) => change(withAngle(gradient, angle))} onEnd={onEnd} />
        )}
        <IconButton
          icon="plus"
          label="Add stop"
          size="small"
          onClick={() => {
            const next = places[current + 1] ?? places[current - 1] ?? 100;
            add((places[current]! + next) / 2);
          }}
        />
        <IconButton
          icon="trash"
          label="Delete stop"
          size="small"
          disabled={colored.length <= 2}
          onClick={() => remove(current)}
        />
      </div>
      {stop?.color !== undefined && (
        <SolidPicker
          value={stop.color}
          swatches={swatches.filter((each) => parseColor(each))}
          onChange={(color) => change({ ...gradient, stops: stops.with(current, { ...stop, color }) })}
          onEnd={onEnd}
        />
      )}
    </div>
  );
}

/** A CSS image of a single colour. */
const plain = (color: string): string => `linear-gradient(${color}, ${color})`;

interface StopProps {
  /** Number of the stop from 1; 0 for a hint. */
  readonly number: number;
  readonly color: string | undefined;
  /** Position in per cent. */
  readonly offset: number;
  readonly isCurrent: boolean;
  readonly onSelect: () => void;
  readonly onMove: (offset: number) => void;
  readonly onRemove: () => void;
  readonly onEnd: () => void;
  readonly offsetAt: (clientX: number) => number;
}

function Stop({ number, color, offset, isCurrent, onSelect, onMove, onRemove, onEnd, offsetAt }: StopProps) {
  const start = useRef<number | undefined>(undefined);
  return (
    <span
      class={`gradient-stop ${number === 0 ? 'gradient-hint' : ''}`}
      role="slider"
      tabIndex={isCurrent ? 0 : -1}
      data-autofocus={isCurrent || undefined}
      aria-label={number === 0 ? 'Hint' : `Stop ${number}`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(Math.min(100, Math.max(0, offset)))}
      aria-valuetext={`${color ?? 'Middle'} at ${Math.round(offset)} %`}
      aria-current={isCurrent || undefined}
      style={{
        left: `${Math.min(100, Math.max(0, offset))}%`,
        '--stop': color === undefined ? 'none' : plain(cssColor(color)),
      }}
      onFocus={onSelect}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        start.current = event.clientX;
        event.currentTarget.setPointerCapture(event.pointerId);
        event.currentTarget.focus();
        onSelect();
      }}
      onPointerMove={(event) => {
        const from = start.current;
        // a press alone only selects
        if (from === undefined || Math.abs(event.clientX - from) < 2) return;
        start.current = Number.POSITIVE_INFINITY;
        onMove(offsetAt(event.clientX));
      }}
      onLostPointerCapture={() => {
        start.current = undefined;
        onEnd();
      }}
      onKeyDown={(event) => {
        const by = keyMove(event);
        if (by) {
          event.preventDefault();
          onMove(offset + by.x + by.y);
          onEnd();
        } else if (event.key === 'Delete' || event.key === 'Backspace') {
          event.preventDefault();
          event.stopPropagation();
          onRemove();
        }
      }}
    />
  );
}

interface AngleProps {
  readonly value: number;
  readonly onChange: (angle: number) => void;
  readonly onEnd: () => void;
}

function Angle({ value, onChange, onEnd }: AngleProps) {
  const typed = useSignal<string | undefined>(undefined);
  const read = (text: string) => evaluate(text.replace(/(?:deg|°)\s*$/, ''));
  return (
    <label class="prop-compact gradient-angle">
      <span class="prop-compact-label">Angle</span>
      <input
        class="prop-input"
        type="text"
        inputMode="decimal"
        value={typed.value ?? `${value}°`}
        onFocus={(event) => event.currentTarget.select()}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          const angle = read(currentTarget.value);
          if (angle !== undefined && Number.isFinite(angle)) onChange(angle);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
          event.preventDefault();
          typed.value = undefined;
          const by = event.shiftKey ? 15 : 1;
          onChange((value + (event.key === 'ArrowUp' ? by : -by) + 360) % 360);
        }}
        onBlur={() => {
          typed.value = undefined;
          onEnd();
        }}
      />
    </label>
  );
}

// The colour picker's area for saturation and brightness, and its sliders. Screen readers and arrow keys treat each as a
// slider.
import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { colorText, type Hsva, toRgba } from '../values/color.js';

interface SliderProps {
  readonly color: Hsva;
  readonly onChange: (color: Hsva) => void;
  /** Called when a drag has ended or a key was pressed. */
  readonly onEnd: () => void;
}

const percent = (share: number): number => Math.round(share * 100);
const within = (value: number, most = 1): number => Math.min(most, Math.max(0, value));

/** While the element is pressed, calls `move` with the pointer's position in it, 0–1. */
export function useDrag(move: (x: number, y: number) => void, end: () => void) {
  const isDragging = useRef(false);
  type Event = TargetedPointerEvent<HTMLElement>;
  const at = ({ clientX, clientY, currentTarget }: Event) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    move(within((clientX - left) / width), within((clientY - top) / height));
  };
  return {
    onPointerDown(event: Event) {
      if (event.button !== 0) return;
      isDragging.current = true;
      event.currentTarget.setPointerCapture(event.pointerId);
      at(event);
    },
    onPointerMove(event: Event) {
      if (isDragging.current) at(event);
    },
    onLostPointerCapture() {
      isDragging.current = false;
      end();
    },
  };
}

/** Returns the distance by which a key moves a slider, in steps of a hundredth; `x` and `y` are its two axes. */
export function keyMove({ key, shiftKey }: KeyboardEvent): { x: number; y: number } | undefined {
  const by = shiftKey ? 10 : 1;
  switch (key) {
    case 'ArrowLeft':
      return { x: -by, y: 0 };
    case 'ArrowRight':
      return { x: by, y: 0 };
    case 'ArrowUp':
      return { x: 0, y: by };
    case 'ArrowDown':
      return { x: 0, y: -by };
    default:
      return undefined;
  }
}

export function SaturationArea({ color, onChange, onEnd }: SliderProps) {
  const { h, s, v } = color;
  const drag = useDrag((x, y) => onChange({ ...color, s: x, v: 1 - y }), onEnd);
  return (
    <div
      class="color-area"
      role="slider"
      tabIndex={0}
      aria-label="Saturation and brightness"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent(s)}
      aria-valuetext={`Saturation ${percent(s)} %, brightness ${percent(v)} %`}
      style={{ backgroundColor: colorText(toRgba({ h, s: 1, v: 1, a: 1 })) }}
      {...drag}
      onKeyDown={(event) => {
        const move = keyMove(event);
        if (!move) return;
        event.preventDefault();
        onChange({ ...color, s: within(s + move.x / 100), v: within(v + move.y / 100) });
        onEnd();
      }}
    >
      <span
        class="color-knob"
        style={{
          left: `${s * 100}%`,
          top: `${(1 - v) * 100}%`,
          backgroundColor: colorText(toRgba({ ...color, a: 1 })),
        }}
      />
    </div>
  );
}

interface TrackProps {
  readonly label: string;
  readonly text: string;
  readonly value: number;
  readonly most: number;
  readonly class: string;
  /** CSS background of the track. */
  readonly background?: string;
  readonly onChange: (value: number) => void;
  readonly onEnd: () => void;
}

function Track({ label, text, value, most, class: added, background, onChange, onEnd }: TrackProps) {
  const drag = useDrag((x) => onChange(x * most), onEnd);
  const move = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const by = keyMove(event);
    const ends = { Home: 0, End: most }[event.key];
    if (!by && ends === undefined) return;
    event.preventDefault();
    onChange(ends ?? within(value + ((by!.x + by!.y) * most) / (most > 1 ? most : 100), most));
    onEnd();
  };
  return (
    <div
      class={`color-track ${added}`}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={most > 1 ? most : 100}
      aria-valuenow={Math.round(most > 1 ? value : value * 100)}
      aria-valuetext={text}
      {...drag}
      onKeyDown={move}
    >
      <span class="color-track-fill" style={background === undefined ? {} : { backgroundImage: background }} />
      <span class="color-knob" style={{ left: `${(value / most) * 100}%` }} />
    </div>
  );
}

export function HueSlider({ color, onChange, onEnd }: SliderProps) {
  return (
    <Track
      label="Hue"
      text={`${Math.round(color.h)} degrees`}
      class="color-hue"
      value={color.h}
      most={360}
      // 360 equals 0, and the knob would jump back
      onChange={(h) => onChange({ ...color, h: Math.min(h, 359.9) })}
      onEnd={onEnd}
    />
  );
}

export function AlphaSlider({ color, onChange, onEnd }: SliderProps) {
  const opaque = colorText(toRgba({ ...color, a: 1 }));
  return (
    <Track
      label="Alpha"
      text={`${percent(color.a)} %`}
      class="color-alpha"
      value={color.a}
      most={1}
      background={`linear-gradient(90deg, transparent, ${opaque})`}
      onChange={(a) => onChange({ ...color, a: Math.round(a * 100) / 100 })}
      onEnd={onEnd}
    />
  );
}

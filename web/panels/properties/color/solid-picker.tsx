// Picks one colour: by an area, sliders or text, from the document's colours, or from any pixel of the screen.
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { IconButton } from '../../../ui/button.js';
import { colorText, cssColor, type Hsva, parseColor, toHsva, toRgba } from '../values/color.js';
import { AlphaSlider, HueSlider, SaturationArea } from './sliders.js';

interface EyeDropper {
  open(): Promise<{ readonly sRGBHex: string }>;
}

export interface SolidPickerProps {
  readonly value: string;
  readonly swatches: readonly string[];
  readonly onChange: (value: string) => void;
  readonly onEnd: () => void;
}

const BLACK = { r: 0, g: 0, b: 0, a: 1 };

export function SolidPicker({ value, swatches, onChange, onEnd }: SolidPickerProps) {
  /** The colour that the sliders set last, which keeps the hue of greys. */
  const own = useRef<{ readonly text: string; readonly color: Hsva } | undefined>(undefined);
  const color =
    own.current?.text === value ? own.current.color : toHsva(parseColor(value) ?? BLACK, own.current?.color);
  const pick = (next: Hsva) => {
    const text = colorText(toRgba(next));
    own.current = { text, color: next };
    onChange(text);
  };
  const { EyeDropper } = window as unknown as { EyeDropper?: new () => EyeDropper };
  return (
    <div class="solid-picker">
      <SaturationArea color={color} onChange={pick} onEnd={onEnd} />
      <div class="color-sliders">
        <HueSlider color={color} onChange={pick} onEnd={onEnd} />
        <AlphaSlider color={color} onChange={pick} onEnd={onEnd} />
      </div>
      <div class="color-row">
        <ColorText label="Colour" value={value} onChange={onChange} onEnd={onEnd} />
        {EyeDropper && (
          <IconButton
            icon="pipette"
            label="Pick from the screen"
            size="small"
            onClick={() => {
              new EyeDropper().open().then(
                ({ sRGBHex }) => {
                  onChange(sRGBHex);
                  onEnd();
                },
                // the person pressed Escape
                () => {},
              );
            }}
          />
        )}
      </div>
      {swatches.length > 0 && (
        <div class="color-swatches" role="group" aria-label="Colours of the template">
          {swatches.map((each) => (
            <button
              key={each}
              type="button"
              class="color-swatch"
              aria-label={each}
              title={each}
              aria-pressed={each === value}
              onClick={() => {
                onChange(each);
                onEnd();
              }}
            >
              <span style={{ background: cssColor(each) }} />
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

interface ColorTextProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onEnd: () => void;
}

/** Edits a colour as text. Invalid text is marked, and dropped when the field loses the focus. */
function ColorText({ label, value, onChange, onEnd }: ColorTextProps) {
  const typed = useSignal<string | undefined>(undefined);
  return (
    <input
      class="prop-input"
      type="text"
      spellcheck={false}
      autocomplete="off"
      aria-label={label}
      aria-invalid={typed.value !== undefined && !parseColor(typed.value) ? true : undefined}
      value={typed.value ?? value}
      onFocus={(event) => event.currentTarget.select()}
      onInput={({ currentTarget }) => {
        typed.value = currentTarget.value;
        if (parseColor(currentTarget.value)) onChange(currentTarget.value.trim());
      }}
      onBlur={() => {
        typed.value = undefined;
        onEnd();
      }}
    />
  );
}

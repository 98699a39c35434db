// Chooses a colour, or a gradient of any kind.
import { useContext, useRef } from 'preact/hooks';
import { EditorContext } from '../form/editor-context.js';
import { isGradient } from '../values/color.js';
import {
  GRADIENT_KINDS,
  type GradientKind,
  gradientFrom,
  gradientText,
  ofKind,
  parseGradientText,
} from '../values/gradient.js';
import { GradientEditor } from './gradient-editor.js';
import { SolidPicker } from './solid-picker.js';
import { swatchesOf } from './swatches.js';

export interface FillPickerProps {
  readonly value: string;
  readonly takesGradients: boolean;
  readonly onChange: (text: string) => void;
  readonly onEnd: () => void;
}

const KIND_NAMES = { solid: 'Solid', linear: 'Linear', radial: 'Radial', conic: 'Conic' } as const;

export function FillPicker({ value, takesGradients, onChange, onEnd }: FillPickerProps) {
  const { store } = useContext(EditorContext);
  const swatches = swatchesOf(store.document.value.record);
  const isFill = isGradient(value);
  const gradient = isFill ? parseGradientText(value) : undefined;
  const kind = gradient?.kind ?? 'solid';
  /** The last gradient and the last colour, for a change of kind and back. */
  const before = useRef<{ gradient?: string; solid?: string }>({});
  const turn = (next: GradientKind | 'solid') => {
    if (next === kind) return;
    const { gradient: lastGradient, solid } = before.current;
    before.current = isFill ? { gradient: value, ...(solid && { solid }) } : { ...before.current, solid: value };
    const earlier = lastGradient === undefined ? undefined : parseGradientText(lastGradient);
    if (next === 'solid') onChange(solid ?? gradient?.stops.find(({ color }) => color)?.color ?? '#000000');
    else onChange(gradientText(ofKind(gradient ?? earlier ?? gradientFrom(value, next), next)));
    onEnd();
  };
  const swatchProps = { swatches, onChange, onEnd };
  return (
    <>
      {takesGradients && (
        <div class="prop-row-choice color-kinds" role="radiogroup" aria-label="Kind of fill">
          {(['solid', ...GRADIENT_KINDS] as const).map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="fill-kind"
                data-autofocus={each === kind || undefined}
                checked={each === kind && (each === 'solid' ? !isFill : true)}
                onChange={() => turn(each)}
              />
              <span>{KIND_NAMES[each]}</span>
            </label>
          ))}
        </div>
      )}
      {gradient && <GradientEditor gradient={gradient} {...swatchProps} />}
      {isFill && !gradient && <p class="prop-note">This gradient can only be edited as text.</p>}
      {!isFill && <SolidPicker value={value} {...swatchProps} />}
    </>
  );
}

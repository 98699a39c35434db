// Chooses among the weights of the text's family.
import { useComputed } from '@preact/signals';
import { Icon } from '../../../ui/icon.js';
import { attributesOf, type ControlProps, labelOfChange, useValue } from '../controls/control.js';
import { MIXED } from '../form/target.js';
import { inWords } from '../form/words.js';
import { familyNamed } from './families.js';

const ALL = [100, 200, 300, 400, 500, 600, 700, 800, 900];

/** Returns a weight as a number; undefined if it isn't one. */
function weightOf(value: unknown): number | undefined {
  if (value === 'normal') return 400;
  if (value === 'bold') return 700;
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

export function WeightInput(props: Omit<ControlProps, 'control'>) {
  const { target, path, field } = props;
  const value = useValue(target, path);
  const weights = useComputed(() => {
    const own = target.read([...path.slice(0, -1), 'fontFamily']);
    const family = familyNamed(own ?? target.read(['fontFamily']) ?? 'Inter');
    return family && family.weights.length > 0 ? family.weights : ALL;
  }).value;
  const weight = value === MIXED ? undefined : weightOf(value ?? field.standard);
  const offered = [...new Set([...weights, ...(weight === undefined ? [] : [weight])])].sort((a, b) => a - b);
  return (
    <span class="prop-select">
      <select
        {...attributesOf(props)}
        value={value === MIXED ? 'mixed' : weight === undefined ? '' : String(weight)}
        onChange={({ currentTarget }) => {
          const next = currentTarget.value;
          target.write(path, next === '' ? undefined : Number(next), labelOfChange(field));
          target.endStep();
        }}
      >
        {value === MIXED && <option value="mixed">Mixed</option>}
        {field.standard === undefined && <option value="">As the layer</option>}
        {offered.map((each) => (
          <option key={each} value={String(each)}>
            {inWords(String(each))}
          </option>
        ))}
      </select>
      <Icon name="chevron" size={12} />
    </span>
  );
}

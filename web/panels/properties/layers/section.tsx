// A section of a layer's form: the fields that have an effect, and the others on request.
import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Rows } from '../controls/field-view.js';
import type { FormField } from '../form/controls.js';
import { type Circumstances, isInView, type Section } from '../form/sections.js';
import type { FormTarget } from '../form/target.js';
import { SectionFrame } from './section-frame.js';

interface SectionViewProps {
  readonly target: FormTarget;
  readonly section: Section;
  readonly circumstances: ReadonlySignal<Circumstances>;
  /** Content below the first row. */
  readonly children?: ComponentChildren;
}

export function SectionView({ target, section, circumstances, children }: SectionViewProps) {
  const isShowingAll = useSignal(false);
  const { title, rows, rare } = section;
  const fields = [...rows.flat(), ...rare];
  const hasFault = useComputed(() =>
    fields.some(({ name }) => target.findings([name]).some(({ severity }) => severity === 'error')),
  ).value;
  const inView = useComputed(() => {
    const names = (each: readonly FormField[], isRare: boolean) =>
      each.filter((field) => isInView(field, isRare, circumstances.value)).map(({ name }) => name);
    return [...names(rows.flat(), false), ...names(rare, true)].join(' ');
  }).value.split(' ');
  const isShown = ({ name }: FormField) => isShowingAll.value || inView.includes(name);
  const visibleRows = [...rows.map((row) => row.filter(isShown)), ...rare.filter(isShown).map((field) => [field])];
  const filled = visibleRows.filter((row) => row.length > 0);
  const hidden = fields.length - visibleRows.flat().length;
  return (
    <SectionFrame title={title} hasFault={hasFault}>
      <Rows target={target} rows={filled.slice(0, 1)} path={[]} />
      {children}
      <Rows target={target} rows={filled.slice(1)} path={[]} />
      {(hidden > 0 || isShowingAll.value) && (
        <button
          type="button"
          class="prop-more"
          aria-expanded={isShowingAll.value}
          onClick={() => {
            isShowingAll.value = !isShowingAll.value;
          }}
        >
          {isShowingAll.value ? 'Fewer fields' : `${hidden} more`}
          <span class="visually-hidden"> of {title}</span>
        </button>
      )}
    </SectionFrame>
  );
}

// A section of a form that can be collapsed, which stays so for all layers.
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from '../../../ui/icon.js';

/** Sections that are collapsed at first. */
const CLOSED_SECTIONS = ['Advanced', 'In its layout', 'More'];

/** Sections that differ from their initial state. */
const toggled = signal<ReadonlySet<string>>(new Set(recall()));
const REMEMBERED = 'platen.properties';

function recall(): string[] {
  try {
    return String(localStorage.getItem('platen.properties') ?? '').split(',');
  } catch {
    return [];
  }
}

function toggle(title: string): void {
  const next = new Set(toggled.value);
  if (!next.delete(title)) next.add(title);
  toggled.value = next;
  try {
    localStorage.setItem(REMEMBERED, [...next].join(','));
  } catch {
    // the state is not remembered then
  }
}

interface FrameProps {
  readonly title: string;
  /** Whether one of its fields has a fault. */
  readonly hasFault?: boolean;
  readonly children: ComponentChildren;
}

export function SectionFrame({ title, hasFault = false, children }: FrameProps) {
  const id = useId();
  const isOpen = CLOSED_SECTIONS.includes(title) === toggled.value.has(title);
  return (
    <section class="prop-section" aria-labelledby={id}>
      <h3>
        <button id={id} type="button" class="prop-section-head" aria-expanded={isOpen} onClick={() => toggle(title)}>
          <Icon name="chevron" size={12} />
          {title}
          {hasFault && !isOpen && <span class="prop-fault-dot" role="img" aria-label="has faults" />}
        </button>
      </h3>
      {isOpen && <div class="prop-section-body">{children}</div>}
    </section>
  );
}

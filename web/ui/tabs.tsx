// Tabs: a row of buttons chooses one of several panels.
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

export interface Tab<Id extends string> {
  readonly id: Id;
  readonly label: string;
  /** A number behind the label, which isn't part of its name. */
  readonly count?: number;
}

export interface TabsProps<Id extends string> {
  /** Accessible name of the row. */
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
  /** The panel of the chosen tab. */
  readonly children: ComponentChildren;
  readonly class?: string;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

export function Tabs<Id extends string>({ label, tabs, chosen, onChoose, children, class: added = '' }: TabsProps<Id>) {
  const id = useId();
  const row = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = tabs.findIndex((tab) => tab.id === chosen);
    const next = (index + step + tabs.length) % tabs.length;
    onChoose(tabs[next]!.id);
    row.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <div class={`tabs ${added}`}>
      <div ref={row} class="tab-row" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            class="tab"
            aria-selected={tab.id === chosen}
            aria-controls={tab.id === chosen ? `${id}-panel` : undefined}
            tabIndex={tab.id === chosen ? 0 : -1}
            onClick={() => onChoose(tab.id)}
          >
            {tab.label}
            {tab.count !== undefined && tab.count > 0 && (
              <span class="tab-count" aria-hidden="true">
                {tab.count}
              </span>
            )}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} class="tab-panel" role="tabpanel" aria-labelledby={`${id}-${chosen}`} tabIndex={-1}>
        {children}
      </div>
    </div>
  );
}

// Shows a group's alignment along and across its layout as nine cells; a press on a cell chooses it.
import { useComputed } from '@preact/signals';
import type { FormTarget } from '../form/target.js';

const ALONG = ['start', 'center', 'end'] as const;
const ACROSS = ['start', 'center', 'end'] as const;

const NAMES = {
  row: { along: ['Left', 'Centre', 'Right'], across: ['top', 'middle', 'bottom'] },
  column: { along: ['Top', 'Middle', 'Bottom'], across: ['left', 'centre', 'right'] },
} as const;

export function LayoutBox({ target }: { readonly target: FormTarget }) {
  const layout = useComputed(() => target.read(['layout'])).value;
  const justify = useComputed(() => target.read(['justifyContent']) ?? 'start').value;
  const align = useComputed(() => target.read(['alignItems']) ?? 'start').value;
  if (layout !== 'row' && layout !== 'column') return null;
  const isRow = layout === 'row';
  const names = NAMES[layout];
  const choose = (justifyContent: string, alignItems: string) =>
    target.assign({ justifyContent, alignItems }, 'Change alignment');
  const spread = typeof justify === 'string' && justify.startsWith('space') ? justify : undefined;
  // the cells line by line: in a row, the layers lie side by side
  const cells = ACROSS.flatMap((_, line) =>
    ALONG.map((_, column) => (isRow ? { along: column, across: line } : { along: line, across: column })),
  );
  return (
    <div class="layout-box" role="radiogroup" aria-label="Alignment">
      {cells.map(({ along, across }) => {
        const isChosen = (spread !== undefined || justify === ALONG[along]) && align === ACROSS[across];
        const text = spread === undefined ? `${names.along[along]}, ${names.across[across]}` : names.across[across]!;
        return (
          <label
            key={`${along} ${across}`}
            class={isRow ? 'layout-cell' : 'layout-cell layout-cell-column'}
            title={text}
          >
            <input
              type="radio"
              name="layout-box"
              aria-label={text}
              checked={isChosen && (spread === undefined || along === 1)}
              disabled={!target.canEdit}
              onChange={() => choose(spread ?? ALONG[along]!, ACROSS[across]!)}
            />
            <span class={`layout-bars layout-${ACROSS[across]} ${isChosen ? 'layout-chosen' : ''}`}>
              <i />
              <i />
              <i />
            </span>
          </label>
        );
      })}
    </div>
  );
}

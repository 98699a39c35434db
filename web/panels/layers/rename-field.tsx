// The field over a row for renaming its layer.
import { MAX_NAME_LENGTH, nameField } from '../../document/actions.js';
import { nameOf } from '../../document/document.js';
import { RenameInput } from '../../ui/rename-input.js';
import { INDENT, ROW_HEIGHT } from './drop-target.js';
import type { Row } from './rows.js';

export interface RenameFieldProps {
  readonly row: Row;
  readonly index: number;
  /** Receives the new name; undefined if it stays. */
  readonly onEnd: (name: string | undefined) => void;
}

const HINTS = {
  name: 'The name is for you; renders ignore it.',
  label: 'The label of the variable, which people see who fill it.',
} as const;

export function RenameField({ row, index, onEnd }: RenameFieldProps) {
  const { node, level } = row;
  const field = nameField(node);
  return (
    <div class="layer-rename" style={{ top: `${index * ROW_HEIGHT}px`, paddingLeft: `${level * INDENT + 40}px` }}>
      <RenameInput
        label={field === 'label' ? 'Label' : 'Name'}
        name={nameOf(node)}
        maxLength={MAX_NAME_LENGTH}
        describedBy="layer-rename-hint"
        onEnd={onEnd}
      />
      <p id="layer-rename-hint" class="layer-rename-hint">
        {HINTS[field]}
      </p>
    </div>
  );
}

// The rows of a table layer: a table with a column for each field that its columns show.
import { isList } from '../../../document/json.js';
import { lazy } from '../../../ui/lazy.js';
import { type ControlProps, labelOfChange, shownValue, useValue } from './control.js';
import { fieldOf, rowFields } from './row-fields.js';

const ListTable = lazy(
  () => import('../../variables/list-table.js'),
  (module) => module.ListTable,
);

export function RowsInput({ target, path, field }: ControlProps) {
  const value = shownValue(useValue(target, path));
  const columns = shownValue(useValue(target, ['columns']));
  const rows = isList(value) ? value : [];
  const list = { ...fieldOf(field.name, 'array', rowFields(columns, rows)), label: field.label };
  const faults = target.findings(path);
  const [whole] = faults.filter((fault) => fault.field.length <= path.length);
  return (
    <ListTable
      field={list}
      value={rows}
      error={whole?.message}
      isDisabled={!target.canEdit}
      isWrong={(row, column) =>
        faults.some(
          (fault) => fault.field[1] === row && (fault.field[2] === undefined || fault.field[2] === column.name),
        )
      }
      onChange={(next) => target.write(path, next, labelOfChange(field))}
    />
  );
}

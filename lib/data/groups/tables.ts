// Makes grids of tables.
import { formatReceived } from '../../contract/json/describe.js';
import { ownTableFields, type TableFields, tableFields } from '../../contract/layers/expanded/table.js';
import type { LayerOrigin } from '../../contract/messages/origins.js';
import { isObject } from '../../contract/schema/fields.js';
import { parseWith, withoutNulls } from '../../contract/schema/normalize.js';
import { type OriginalLayer, type Resolver, type Surroundings, SWITCH } from '../resolver.js';
import type { Parent } from './parent.js';
import { type Json, tableLook } from './table-look.js';
import { type TableExpansionOptions, TableRows } from './table-rows.js';

const NULL_LEVELS = 4;
export class TableExpansion {
  constructor(
    private readonly options: TableExpansionOptions,
    private readonly resolver: Resolver,
    private readonly countLayer: (path: string) => void,
  ) {}

  /** The grid that a table becomes. It has no layers if there is a fault. */
  groupOf(raw: Json, origin: LayerOrigin, parent: Parent, around: Surroundings): OriginalLayer {
    const { path } = origin;
    const group: Record<string, unknown> = { ...raw, type: 'group', layout: 'grid', height: raw.height ?? 'auto' };
    for (const name of Object.keys(tableFields())) delete group[name];
    const fields = this.#fields(raw, path);
    if (!fields) return { layer: { ...group, layers: [] }, origin };
    const written = withoutNulls(raw, NULL_LEVELS) as Json;
    const look = tableLook(written, fields, path, parent, this.options.tokens, this.resolver);
    const { resolver, countLayer, options } = this;
    const table = new TableRows({ fields, written, look, path, around, resolver, countLayer, options });
    const cells = table.build(fields.rows as readonly Json[]);
    return {
      layer: {
        ...group,
        role: 'table',
        gridTemplateColumns: table.tracks(),
        alignContent: 'start',
        ...(look.rules.outer && { border: look.rules.outer }),
        layers: cells.map(({ layer }) => layer),
      },
      origin: { ...origin, layers: cells.map((cell) => cell.origin) },
    };
  }

  /** The table's own fields; undefined if one is wrong. */
  #fields(raw: Json, path: string): TableFields | undefined {
    const { rows } = raw;
    if (typeof rows === 'string') {
      const hint = rows.includes('{{=') ? `; expressions need ${SWITCH}` : '';
      const message = `received ${formatReceived(rows)}, expected a list of objects, or an expression${hint}`;
      this.resolver.fault(`${path}.rows`, message);
      return undefined;
    }
    const own = Object.fromEntries(Object.keys(tableFields()).map((name) => [name, raw[name]]));
    // rows have their own fields: null is a value of them
    const { rows: _, ...others } = withoutNulls(own, NULL_LEVELS) as Json;
    const { data: fields, details } = parseWith(ownTableFields, { ...others, rows: rows ?? undefined }, own, path);
    for (const { path: at, message, code } of details) this.resolver.fault(at, message, code);
    if (!fields) return undefined;
    const wrong = (fields.rows as readonly unknown[]).findIndex((row) => !isObject(row));
    if (wrong < 0) return fields;
    const received = formatReceived((fields.rows as readonly unknown[])[wrong]);
    this.resolver.fault(`${path}.rows[${wrong}]`, `received ${received}, expected an object`);
    return undefined;
  }
}

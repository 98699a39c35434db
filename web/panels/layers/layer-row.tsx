// A row of the panel Layers: the layer's type, name and state.
import type { LayerFinding } from '../../canvas/open-editor.js';
import { type EditorDocument, isHidden, isLocked, nameOf, TYPE_NAMES } from '../../document/document.js';
import { type Json, ownValue, textOf } from '../../document/json.js';
import { Icon, type IconName } from '../../ui/icon.js';
import { INDENT, ROW_HEIGHT } from './drop-target.js';
import type { Row } from './rows.js';

const TYPE_ICONS: Readonly<Record<string, IconName>> = {
  text: 'text',
  image: 'image',
  qrcode: 'qrcode',
  barcode: 'barcode',
  table: 'table',
  group: 'group',
};

const SHAPE_ICONS: Readonly<Record<string, IconName>> = {
  rectangle: 'rectangle',
  rounded_rectangle: 'roundedRectangle',
  circle: 'circle',
  pill: 'pill',
  line: 'line',
  polygon: 'polygon',
  star: 'star',
  arc: 'arc',
};

const iconOf = ({ type, shapeType }: Json): IconName =>
  ownValue(TYPE_ICONS, type) ?? ownValue(SHAPE_ICONS, shapeType) ?? 'shapes';

export interface LayerRowProps {
  readonly row: Row;
  readonly document: EditorDocument;
  readonly findings: readonly LayerFinding[];
  readonly index: number;
  readonly count: number;
  readonly isActive: boolean;
  readonly isDropTarget: boolean;
  readonly canEdit: boolean;
}

/** The row. Its parts with `data-part` are for the pointer; the list handles them, and offers the same by keyboard. */
export function LayerRow({ row, document, findings, index, count, isActive, isDropTarget, canEdit }: LayerRowProps) {
  const { node, level, isCollapsed } = row;
  const { id, raw, children } = node;
  const isOwnHidden = document.hidden.has(id);
  const isOwnLocked = document.locked.has(id);
  const key = textOf(raw.key);
  const problem = findings.map(({ message, field }) => [field.join('.'), message].filter(Boolean).join(' ')).join('\n');
  const isDrawn = raw.visible !== false;
  const facts = [
    ownValue(TYPE_NAMES, raw.type),
    key !== undefined && `variable ${key}`,
    level > 0 && `in ${nameOf(row.ancestors.at(-1)!)}`,
    isCollapsed && children.length > 0 && 'collapsed',
    !isDrawn && 'not drawn in renders',
    isHidden(document, row) && 'hidden',
    isLocked(document, row) && 'locked',
    problem,
  ];
  const classes = [
    'layer',
    isActive && 'is-active',
    isDropTarget && 'is-drop-target',
    (isHidden(document, row) || !isDrawn) && 'is-dim',
  ];
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and names the active row
    <div
      id={`layer-${id}`}
      class={classes.filter(Boolean).join(' ')}
      role="option"
      aria-label={nameOf(node)}
      aria-description={facts.filter(Boolean).join(', ')}
      aria-selected={document.selection.includes(id)}
      aria-posinset={index + 1}
      aria-setsize={count}
      data-layer={id}
      style={{ top: `${index * ROW_HEIGHT}px`, paddingLeft: `${level * INDENT}px` }}
    >
      <span class="layer-twist" data-part={children.length > 0 ? 'twist' : undefined}>
        {children.length > 0 && (
          <span class={isCollapsed ? 'layer-chevron is-collapsed' : 'layer-chevron'}>
            <Icon name="chevron" size={12} />
          </span>
        )}
      </span>
      <Icon name={iconOf(raw)} size={14} />
      <span
        class={isDrawn ? 'layer-name' : 'layer-name is-undrawn'}
        title={isDrawn ? undefined : 'Not drawn in renders'}
      >
        {nameOf(node)}
      </span>
      {problem !== '' && (
        <span class="layer-problem" title={problem}>
          <Icon name="alert" size={14} />
        </span>
      )}
      {key !== undefined && (
        <span class="layer-key" title={`Variable: ${key}`}>
          <Icon name="variable" size={14} />
        </span>
      )}
      {canEdit && (
        <>
          <span
            class={isOwnLocked ? 'layer-toggle is-set' : 'layer-toggle'}
            data-part="lock"
            title={isOwnLocked ? 'Unlock' : 'Lock'}
          >
            <Icon name={isOwnLocked ? 'lock' : 'unlock'} size={14} />
          </span>
          <span
            class={isOwnHidden ? 'layer-toggle is-set' : 'layer-toggle'}
            data-part="hide"
            title={isOwnHidden ? 'Show' : 'Hide while editing'}
          >
            <Icon name={isOwnHidden ? 'eyeOff' : 'eye'} size={14} />
          </span>
        </>
      )}
    </div>
  );
}

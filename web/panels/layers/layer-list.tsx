// The list of layers: selecting, renaming, and reordering by drag and keyboard. The list itself has the focus and names the
// active row, so that only the visible rows need to exist.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { LayerMenu } from '../../canvas/layer-menu.js';
import type { LayerFinding, OpenEditor } from '../../canvas/open-editor.js';
import { actionFor, keysOf, perform, renameStep } from '../../document/actions.js';
import { isLayer, locate, type NodeId, nameOf } from '../../document/document.js';
import { ROW_HEIGHT } from './drop-target.js';
import { LayerRow } from './layer-row.js';
import { RenameField } from './rename-field.js';
import { type Row, rangeOf, rowByTyping, rowsOf } from './rows.js';
import { useDrag } from './use-drag.js';
import { useVisibleRows } from './use-visible-rows.js';

/** Milliseconds within which typed letters together search for a row. */
const TYPING_MS = 700;

export function LayerList({ editor, filter }: { readonly editor: OpenEditor; readonly filter: string }) {
  const { store, canEdit, placements } = editor;
  const document = store.document.value;
  const { selection } = document;
  const [collapsed, setCollapsed] = useState<ReadonlySet<NodeId>>(new Set());
  const [renamed, setRenamed] = useState<NodeId>();
  const [menuAt, setMenuAt] = useState<{ readonly x: number; readonly y: number }>();
  const [moved, setMoved] = useState<NodeId>();
  /** The row at which a range selection with Shift begins. */
  const anchor = useRef<NodeId | undefined>(undefined);
  const typed = useRef({ text: '', at: 0 });
  const list = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(document, { collapsed, filter }), [document, collapsed, filter]);
  const findings = useMemo(() => byNode(editor.findings.value), [editor.findings.value]);
  const { scroller, first, last, reveal } = useVisibleRows(rows.length);
  const drag = useDrag({ editor, rows, list, isFiltered: filter !== '' });

  const lastId = selection.at(-1);
  const activeId = moved !== undefined && locate(document, moved) ? moved : lastId;
  const activeIndex = rows.findIndex(({ node }) => node.id === activeId);

  // the layer selected on the canvas scrolls into view, out of collapsed groups
  useEffect(() => {
    const hiding =
      lastId === undefined ? [] : (locate(document, lastId)?.ancestors ?? []).filter(({ id }) => collapsed.has(id));
    if (hiding.length > 0)
      setCollapsed(new Set([...collapsed].filter((id) => !hiding.some((group) => group.id === id))));
    setMoved(undefined);
    if (selection.length === 1) anchor.current = lastId;
  }, [selection]);
  useLayoutEffect(() => {
    if (activeIndex >= 0) reveal(activeIndex);
  }, [activeId, activeIndex]);

  const select = (id: NodeId, { extend = false, toggle = false }) => {
    if (extend) store.select(withLast(rangeOf(rows, anchor.current, id), id));
    else if (toggle)
      store.select(selection.includes(id) ? selection.filter((each) => each !== id) : [...selection, id]);
    else store.select([id]);
    if (!extend) anchor.current = id;
  };

  const setOpen = (id: NodeId, isOpen: boolean) => {
    const next = new Set(collapsed);
    if (isOpen) next.delete(id);
    else next.add(id);
    setCollapsed(next);
  };

  const rename = (name: string | undefined) => {
    const located = renamed === undefined ? undefined : locate(document, renamed);
    const step = located && name !== undefined ? renameStep(located, name) : undefined;
    if (step) store.dispatch(step.command, { label: step.label });
    setRenamed(undefined);
    list.current?.focus();
  };

  const startRenaming = (id: NodeId) => {
    const located = locate(document, id);
    if (canEdit && located && isLayer(located.node)) setRenamed(id);
  };

  const toggleMember = (id: NodeId, type: 'hide' | 'lock') => {
    const value = !document[type === 'hide' ? 'hidden' : 'locked'].has(id);
    const verb = type === 'hide' ? (value ? 'Hide' : 'Show') : value ? 'Lock' : 'Unlock';
    store.dispatch({ type, ids: [id], value }, { label: `${verb} ${nameOf(locate(document, id)!.node)}` });
  };

  const openMenuAtRow = () => {
    const row = list.current?.querySelector(`#layer-${activeId}`)?.getBoundingClientRect();
    if (row && selection.length > 0) setMenuAt({ x: row.left + 40, y: row.bottom });
  };

  /** Handles a key. Returns whether it belongs to the list. */
  const onKey = (event: KeyboardEvent): boolean => {
    const { key, shiftKey } = event;
    const isControl = event.ctrlKey || event.metaKey;
    const active = rows[activeIndex];
    const go = (index: number) => {
      const row = rows[Math.min(Math.max(index, 0), rows.length - 1)];
      if (!row) return true;
      if (isControl && !shiftKey) setMoved(row.node.id);
      else select(row.node.id, { extend: shiftKey });
      return true;
    };
    const keys = keysOf(event);
    if (keys === 'Shift+F10' || key === 'ContextMenu') openMenuAtRow();
    else if (keys === 'Ctrl+A') store.select(rows.map(({ node }) => node.id));
    else if (keys === 'F2' && active) startRenaming(active.node.id);
    else if (keys === 'Escape' && selection.length > 0) store.select([]);
    else if (keys === 'Enter' && active?.node.raw.type === 'text' && canEdit) editor.editedText.value = active.node.id;
    else if (key === ' ' && active && typed.current.text === '')
      select(active.node.id, { toggle: isControl, extend: shiftKey });
    else if (event.altKey) return doAction(keys);
    else if (key === 'ArrowDown') return go(activeIndex + 1);
    else if (key === 'ArrowUp') return go(activeIndex < 0 ? rows.length - 1 : activeIndex - 1);
    else if (key === 'Home') return go(0);
    else if (key === 'End') return go(rows.length - 1);
    else if (key === 'PageDown') return go(activeIndex + 10);
    else if (key === 'PageUp') return go(activeIndex - 10);
    else if (key === 'ArrowRight' || key === 'ArrowLeft')
      return active !== undefined && openOrClose(active, key === 'ArrowRight');
    else if (doAction(keys)) return true;
    else if (key.length === 1 && !isControl) type(key);
    else return false;
    return true;
  };

  const doAction = (keys: string): boolean => {
    const action = actionFor(keys);
    if (action && canEdit) perform(store, placements.value, action);
    return action !== undefined;
  };

  /** Right opens a group, and then goes to its first layer; left does the reverse. */
  const openOrClose = ({ node, ancestors, isCollapsed }: Row, isRight: boolean): boolean => {
    const hasRows = node.children.length > 0;
    const group = ancestors.at(-1);
    if (isRight && hasRows && isCollapsed) setOpen(node.id, true);
    else if (isRight && hasRows) select(node.children.at(-1)!.id, {});
    else if (!isRight && hasRows && !isCollapsed) setOpen(node.id, false);
    else if (!isRight && group) select(group.id, {});
    return true;
  };

  const type = (letter: string) => {
    const now = performance.now();
    const text = now - typed.current.at > TYPING_MS ? letter : typed.current.text + letter;
    typed.current = { text, at: now };
    const found = rowByTyping(rows, activeIndex, text);
    if (found) select(found.node.id, {});
  };

  const onPointerDown = (event: PointerEvent) => {
    const { id, part } = partOf(event);
    if (id === undefined || event.button !== 0) return;
    if (part === 'twist') setOpen(id, collapsed.has(id));
    else if (part === 'hide' || part === 'lock') toggleMember(id, part);
    else {
      const toggle = event.ctrlKey || event.metaKey;
      const isPart = selection.includes(id);
      // the selected layers may be dragged together; a click selects one of them
      if (!isPart || toggle || event.shiftKey) select(id, { extend: event.shiftKey, toggle });
      drag.start(event, id, () => {
        if (isPart && !toggle && !event.shiftKey) select(id, {});
      });
    }
  };

  const renamedIndex = rows.findIndex(({ node }) => node.id === renamed);
  return (
    <div ref={scroller} class="layers-scroll">
      {rows.length === 0 && <p class="layers-none">{filter === '' ? 'No layers yet' : 'No layer has this name'}</p>}
      <div
        ref={list}
        class="layers"
        role="listbox"
        aria-label="Layers"
        aria-multiselectable="true"
        aria-activedescendant={activeIndex >= 0 ? `layer-${activeId}` : undefined}
        tabIndex={0}
        style={{ height: `${rows.length * ROW_HEIGHT}px` }}
        onKeyDown={(event) => {
          if (drag.drop || !onKey(event)) return;
          event.preventDefault();
          event.stopPropagation();
        }}
        onPointerDown={onPointerDown}
        onDblClick={(event) => {
          const { id, part } = partOf(event);
          if (id !== undefined && part === undefined) startRenaming(id);
        }}
        onContextMenu={(event) => {
          event.preventDefault();
          const { id } = partOf(event);
          if (id === undefined || !canEdit) return;
          if (!selection.includes(id)) store.select([id]);
          setMenuAt({ x: event.clientX, y: event.clientY });
        }}
      >
        {rows.map((row, index) =>
          // the active row has to exist for screen readers
          (index < first || index >= last) && index !== activeIndex ? null : (
            <LayerRow
              key={row.node.id}
              row={row}
              document={document}
              findings={findings.get(row.node.id) ?? NO_FINDINGS}
              index={index}
              count={rows.length}
              isActive={index === activeIndex}
              isDropTarget={drag.drop?.into === index}
              canEdit={canEdit}
            />
          ),
        )}
      </div>
      {drag.line}
      {renamedIndex >= 0 && <RenameField row={rows[renamedIndex]!} index={renamedIndex} onEnd={rename} />}
      {menuAt && (
        <LayerMenu
          editor={editor}
          at={menuAt}
          first={
            selection.length === 1
              ? [{ label: 'Rename', keys: 'F2', onSelect: () => startRenaming(selection[0]!) }]
              : []
          }
          onClose={() => setMenuAt(undefined)}
        />
      )}
    </div>
  );
}

const NO_FINDINGS: readonly LayerFinding[] = [];

function byNode(findings: readonly LayerFinding[]): ReadonlyMap<NodeId, readonly LayerFinding[]> {
  const byId = new Map<NodeId, LayerFinding[]>();
  for (const finding of findings) {
    const { node } = finding;
    if (node) byId.set(node.id, [...(byId.get(node.id) ?? []), finding]);
  }
  return byId;
}

/** Moves an id to the end of the list, which makes it the active one. */
const withLast = (ids: readonly NodeId[], id: NodeId): NodeId[] => [...ids.filter((each) => each !== id), id];

/** Finds the row and the part of it that an event hit. */
function partOf({ target }: Event): { readonly id?: NodeId; readonly part?: string | undefined } {
  const element = target as Element;
  const row = element.closest<HTMLElement>('[data-layer]');
  if (!row) return {};
  return { id: Number(row.dataset.layer), part: element.closest<HTMLElement>('[data-part]')?.dataset.part };
}

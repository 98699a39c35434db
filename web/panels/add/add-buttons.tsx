// The buttons that add layers.
import type { OpenEditor } from '../../canvas/open-editor.js';
import { IconButton } from '../../ui/button.js';
import type { IconName } from '../../ui/icon.js';
import { MenuButton } from '../../ui/menu.js';
import { addLayer, lowercased } from './add-layer.js';
import { KINDS, type KindName, SHAPES } from './new-layers.js';

const BEFORE: readonly (readonly [kind: KindName, icon: IconName])[] = [
  ['text', 'text'],
  ['image', 'image'],
  ['qrcode', 'qrcode'],
  ['barcode', 'barcode'],
];

/** What the menu has besides shapes. */
const OTHERS: readonly KindName[] = ['table'];

const MENU_ICONS: Readonly<Partial<Record<KindName, IconName>>> = {
  rectangle: 'rectangle',
  roundedRectangle: 'roundedRectangle',
  circle: 'circle',
  pill: 'pill',
  line: 'line',
  arrow: 'arrow',
  polygon: 'polygon',
  star: 'star',
  arc: 'arc',
  table: 'table',
};

function focusCanvas({ editedText }: OpenEditor): void {
  if (editedText.value === undefined) document.querySelector<HTMLElement>('.canvas-surface')?.focus();
}

export function AddButtons({ editor }: { readonly editor: OpenEditor }) {
  const button = (kind: KindName, icon: IconName, name = lowercased(KINDS[kind].name)) => (
    <IconButton
      key={kind}
      size="small"
      icon={icon}
      label={`Add ${name}`}
      onClick={({ detail }) => {
        addLayer(editor, kind);
        // the next key is for the new layer, unless the keyboard pressed the button
        if (detail > 0) focusCanvas(editor);
      }}
    />
  );
  const item = (kind: KindName) => ({
    label: KINDS[kind].name,
    icon: MENU_ICONS[kind],
    onSelect: () => {
      addLayer(editor, kind);
      focusCanvas(editor);
    },
  });
  return (
    <div class="add-layers" role="group" aria-label="Add layers">
      {BEFORE.map(([kind, icon]) => button(kind, icon))}
      <span class="add-shapes">
        {button('rectangle', 'shapes', 'shape')}
        <MenuButton label="More shapes" icon="chevron" items={[SHAPES.map(item), OTHERS.map(item)]} />
      </span>
      {button('group', 'group')}
    </div>
  );
}

// The menu of the selected layers on the canvas and in the panel Layers.
import { ACTIONS, type Action, type ActionName, keyStep, perform } from '../document/actions.js';
import { isLayer, type LayerNode, selectedNodes } from '../document/document.js';
import { Menu, type MenuItem, type MenuProps } from '../ui/menu.js';
import type { OpenEditor } from './open-editor.js';

const GROUPS: readonly (readonly ActionName[])[] = [
  ['duplicate', 'remove'],
  ['bringToFront', 'bringForward', 'sendBackward', 'sendToBack'],
  ['group', 'ungroup', 'moveInto', 'moveOut'],
  ['hide', 'lock', 'draw'],
];

export interface LayerMenuProps extends Pick<MenuProps, 'at' | 'onClose'> {
  readonly editor: OpenEditor;
  /** Items before the actions. */
  readonly first?: readonly MenuItem[];
  /** Items behind the actions. */
  readonly last?: readonly MenuItem[];
}

export function LayerMenu({ editor, first = [], last = [], at, onClose }: LayerMenuProps) {
  const { store, placements } = editor;
  const document = store.document.value;
  const itemOf = (name: ActionName): MenuItem => {
    const action: Action = ACTIONS[name];
    return {
      label: action.name(document),
      keys: action.keys[0],
      isDisabled: !action.step(document, placements.value),
      onSelect: () => perform(store, placements.value, action),
    };
  };
  const items = [[...first, ...keyItems(editor)], ...GROUPS.map((names) => names.map(itemOf)), last];
  return <Menu label="Layer" items={items} at={at} onClose={onClose} />;
}

/** **Make a variable** asks for the key; a variable can be made fixed again. */
function keyItems({ store, keyedLayer }: OpenEditor): MenuItem[] {
  const selected = selectedNodes(store.document.value);
  const node: LayerNode | undefined = selected[0]?.node;
  if (!node || selected.length !== 1 || !isLayer(node)) return [];
  const ask = () => {
    keyedLayer.value = node.id;
  };
  if (node.raw.key === undefined) return [{ label: 'Make a variable', icon: 'variable', onSelect: ask }];
  const fix = () => {
    const { command, label } = keyStep(node, undefined);
    store.dispatch(command, { label });
  };
  return [
    { label: 'Change key', icon: 'variable', onSelect: ask },
    { label: 'Make fixed', onSelect: fix },
  ];
}

// The dialog with every shortcut of the editor.
import type { OpenEditor } from '../../canvas/open-editor.js';
import { ACTIONS, type Action } from '../../document/actions.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { shownKeys } from '../../ui/menu.js';

interface Shortcut {
  readonly does: string;
  readonly keys: readonly string[];
}

const EDITOR: readonly Shortcut[] = [
  { does: 'Undo', keys: ['Ctrl+Z'] },
  { does: 'Redo', keys: ['Ctrl+Shift+Z', 'Ctrl+Y'] },
  { does: 'Save', keys: ['Ctrl+S'] },
  { does: 'Keyboard shortcuts', keys: ['?'] },
];

const CANVAS: readonly Shortcut[] = [
  { does: 'Select the next layer, the previous one', keys: ['Tab', 'Shift+Tab'] },
  { does: 'Into a group; edit a text', keys: ['Enter'] },
  { does: 'Out to the group, then to nothing', keys: ['Escape'] },
  { does: 'Leave the canvas', keys: ['Escape Tab'] },
  { does: 'Select all', keys: ['Ctrl+A'] },
  { does: 'Move by 1 pixel', keys: ['Arrows'] },
  { does: 'Move by 10 pixels', keys: ['Shift+Arrows'] },
  { does: 'Resize by 1 pixel, by 10', keys: ['Ctrl+Arrows', 'Ctrl+Shift+Arrows'] },
  { does: 'Menu of the layer', keys: ['Shift+F10'] },
  { does: 'Zoom in, out', keys: ['+', '-'] },
  { does: 'Fit, 100 %', keys: ['Shift+1', 'Shift+0'] },
];

const POINTER: readonly Shortcut[] = [
  { does: 'Add to the selection', keys: ['Shift+Click'] },
  { does: 'Select within a group', keys: ['Ctrl+Click', 'Double click'] },
  { does: 'Drag a copy; resize from the centre', keys: ['Alt+Drag'] },
  { does: 'Keep the ratio or the axis; turn by 15°', keys: ['Shift+Drag'] },
  { does: 'Without snapping', keys: ['Ctrl+Drag'] },
  { does: 'Pan', keys: ['Space+Drag', 'Wheel'] },
  { does: 'Zoom', keys: ['Ctrl+Wheel'] },
];

const LIST: readonly Shortcut[] = [
  { does: 'Rename', keys: ['F2'] },
  { does: 'Open or close a group', keys: ['ArrowRight', 'ArrowLeft'] },
  { does: 'First, last layer', keys: ['Home', 'End'] },
  { does: 'Find a layer by its name', keys: ['Letters'] },
];

const CLIPBOARD: readonly Shortcut[] = [
  { does: 'Copy, cut, paste', keys: ['Ctrl+C', 'Ctrl+X', 'Ctrl+V'] },
  { does: 'Copy the style, paste it', keys: ['Ctrl+Alt+C', 'Ctrl+Alt+V'] },
];

interface ShortcutsProps {
  readonly editor: OpenEditor;
  readonly onClose: () => void;
}

export function Shortcuts({ editor, onClose }: ShortcutsProps) {
  const document = editor.store.document.value;
  const layers = Object.values<Action>(ACTIONS)
    .filter(({ keys }) => keys.length > 0)
    .map(({ name, keys }) => ({ does: name(document), keys }));
  return (
    <Dialog title="Keyboard shortcuts" size="large" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <div class="shortcuts">
        <Group title="Editor" shortcuts={EDITOR} />
        <Group title="Canvas" shortcuts={CANVAS} />
        <Group title="Selected layers" shortcuts={[...layers, ...CLIPBOARD]} />
        <Group title="Pointer" shortcuts={POINTER} />
        <Group title="List of layers" shortcuts={LIST} />
      </div>
    </Dialog>
  );
}

function Group({ title, shortcuts }: { readonly title: string; readonly shortcuts: readonly Shortcut[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {shortcuts.map(({ does, keys }) => (
          <div key={does} class="shortcut">
            <dt>{does}</dt>
            <dd>
              {keys.map((each) => (
                <kbd key={each}>{shownKeys(each)}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

// The panels to the right of the picture, one of which is in view.
import type { OpenEditor, PanelId } from '../../canvas/open-editor.js';
import { lazy } from '../../ui/lazy.js';
import { type Tab, Tabs } from '../../ui/tabs.js';
import type { OutputPanelProps } from './output-panel.js';

// each is loaded when it is first shown
const PropertiesPanel = lazy(
  () => import('../../panels/properties/properties-panel.js'),
  (module) => module.PropertiesPanel,
);
const VariablesPanel = lazy(
  () => import('../../panels/variables/variables-panel.js'),
  (module) => module.VariablesPanel,
);
const TextsPanel = lazy(
  () => import('../../panels/texts/texts-panel.js'),
  (module) => module.TextsPanel,
);
const JsonPanel = lazy(
  () => import('./json-panel.js'),
  (module) => module.JsonPanel,
);
const WarningsPanel = lazy(
  () => import('../../panels/warnings/warnings-panel.js'),
  (module) => module.WarningsPanel,
);
const OutputPanel = lazy(
  () => import('./output-panel.js'),
  (module) => module.OutputPanel,
);

/** Code to load when the canvas or a panel is first used. The JSON view is large, and few people open it. */
export const sidePanelParts: readonly (() => Promise<unknown>)[] = [
  async () => (await import('../../panels/properties/properties-panel.js')).prefetchLayerForm(),
  VariablesPanel.prefetch,
  WarningsPanel.prefetch,
  OutputPanel.prefetch,
];

export interface SidePanelProps extends OutputPanelProps {
  readonly isPhone: boolean;
}

const PANELS: readonly Tab<PanelId>[] = [
  { id: 'properties', label: 'Properties' },
  { id: 'variables', label: 'Variables' },
  { id: 'json', label: 'JSON' },
  { id: 'warnings', label: 'Warnings' },
  { id: 'output', label: 'Output' },
];

/** The panels of windows too small for handles. */
const PHONE_PANELS: readonly Tab<PanelId>[] = [
  { id: 'variables', label: 'Variables' },
  { id: 'text', label: 'Text' },
  { id: 'warnings', label: 'Warnings' },
  { id: 'output', label: 'Output' },
];

/** The panel in view: the chosen one or, if the window has no room for it, the first. */
export const panelInView = (editor: OpenEditor, isPhone: boolean): PanelId => {
  const panels = isPhone ? PHONE_PANELS : PANELS;
  return (panels.find(({ id }) => id === editor.panel.value) ?? panels[0]!).id;
};

export function SidePanel(props: SidePanelProps) {
  const { editor, isPhone } = props;
  const { panel, findings } = editor;
  const chosen = panelInView(editor, isPhone);
  const tabs = (isPhone ? PHONE_PANELS : PANELS).map((each) =>
    each.id === 'warnings' ? { ...each, count: findings.value.length } : each,
  );
  return (
    <section class={`editor-right editor-right-${chosen}`} aria-label="Panels">
      <Tabs
        label="Panels"
        tabs={tabs}
        chosen={chosen}
        onChoose={(id) => {
          panel.value = id;
        }}
      >
        {/* headings of parts come below it */}
        <h2 class="visually-hidden">{tabs.find(({ id }) => id === chosen)?.label}</h2>
        {chosen === 'properties' && <PropertiesPanel editor={editor} />}
        {chosen === 'variables' && <VariablesPanel editor={editor} />}
        {chosen === 'text' && <TextsPanel editor={editor} />}
        {chosen === 'json' && <JsonPanel editor={editor} />}
        {chosen === 'warnings' && <WarningsPanel editor={editor} />}
        {chosen === 'output' && <OutputPanel {...props} />}
      </Tabs>
    </section>
  );
}

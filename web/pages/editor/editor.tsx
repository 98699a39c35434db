// The page Editor: a template's layers, its picture, and the panels that change it.
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RenderLogEntry } from '../../../lib/contract/api/renders.js';
import type { TemplateAnswer } from '../../../lib/contract/api/templates.js';
import { announce } from '../../app/announce.js';
import { ApiError, api } from '../../app/api.js';
import { useQuery } from '../../app/query.js';
import { type PageProps, query, setQuery } from '../../app/router.js';
import { canEdit, inWorkspace, workspace } from '../../app/session.js';
import { loadStyle } from '../../app/style.js';
import { createOpenEditor } from '../../canvas/open-editor.js';
import { PHONE, Stage } from '../../canvas/stage.js';
import { prefetchTextEditing } from '../../canvas/text/text-editing.js';
import { useMedia } from '../../canvas/use-media.js';
import { createDocument } from '../../document/document.js';
import type { Json } from '../../document/json.js';
import { createEditorStore } from '../../document/store.js';
import { textOfDocument } from '../../document/text.js';
import { isDocument } from '../../preview/formats.js';
import { usePreview } from '../../preview/use-preview.js';
import { createVerification } from '../../preview/verification.js';
import { Button } from '../../ui/button.js';
import { ErrorAlert } from '../../ui/error-alert.js';
import { Alert, Loaded, Skeleton } from '../../ui/feedback.js';
import { lazy } from '../../ui/lazy.js';
import { Page } from '../../ui/page.js';
import { type KeptHistory, keepHistory, loadHistory } from './kept-history.js';
import { LeftPanel, leftPanelParts } from './left-panel.js';
import type { ChosenOutput } from './output-panel.js';
import { PanelEdge, panelWidths } from './panel-widths.js';
import { panelInView, SidePanel, sidePanelParts } from './side-panel.js';
import { forgetDraft, keepDraft, keptDraft } from './template-text.js';
import { TemplateState, Toolbar } from './toolbar.js';
import { unsavedChanges } from './unsaved.js';
import { useEditorKeys } from './use-editor-keys.js';
import { usePrefetch } from './use-prefetch.js';
import { useTemplate } from './use-template.js';

/** The name of the editor's style sheet; set when the pages are bundled. */
declare const EDITOR_STYLE: string;

await loadStyle(EDITOR_STYLE);

const DIALOG = { isSilent: true };
const Versions = lazy(
  () => import('./editor-versions.js'),
  (module) => module.EditorVersions,
  DIALOG,
);
const Conflict = lazy(
  () => import('./conflict.js'),
  (module) => module.Conflict,
  DIALOG,
);
const ExportDialog = lazy(
  () => import('./export-dialog.js'),
  (module) => module.ExportDialog,
  DIALOG,
);
const Shortcuts = lazy(
  () => import('./shortcuts.js'),
  (module) => module.Shortcuts,
  DIALOG,
);

/** Code that the first view doesn't need, in the order of loading. */
const PARTS = [prefetchTextEditing, ...sidePanelParts, ...leftPanelParts, Shortcuts.prefetch, ExportDialog.prefetch];

export default function Editor({ params }: PageProps) {
  const template = useQuery<TemplateAnswer>(inWorkspace(`templates/${encodeURIComponent(params.id ?? '')}`));
  // later saves come from the answers of the operations
  const [opened, setOpened] = useState<{
    readonly template: TemplateAnswer;
    readonly savedHistory: KeptHistory | undefined;
  }>();
  const { data } = template;
  useEffect(() => {
    if (!data || opened) return;
    void loadHistory(historyName(data.id)).then((savedHistory) => setOpened({ template: data, savedHistory }));
  }, [data]);
  if (opened) return <OpenTemplate opened={opened.template} savedHistory={opened.savedHistory} />;
  return (
    <Page title="Editor">
      <Loaded query={template} loading={<Skeleton height="24rem" />}>
        {() => null}
      </Loaded>
    </Page>
  );
}

/** Calls `onEntry` with the render that the address names, as **Open in editor** does. A reload keeps later changes. */
function useRenderOfAddress(
  onEntry: (entry: RenderLogEntry) => Promise<void>,
  onError: (error: ApiError) => void,
): void {
  useEffect(() => {
    const id = query.value.get('render');
    if (!id) return;
    setQuery({ render: undefined });
    api.get<RenderLogEntry>(inWorkspace(`renders/${encodeURIComponent(id)}`)).then(onEntry, (error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      onError(error);
    });
  }, []);
}

const historyName = (id: string): string => `${workspace.value?.id} ${id}`;

interface OpenTemplateProps {
  readonly opened: TemplateAnswer;
  readonly savedHistory: KeptHistory | undefined;
}

function OpenTemplate({ opened, savedHistory }: OpenTemplateProps) {
  const workspaceId = workspace.value?.id ?? '';
  const { id } = opened;
  const [unsaved] = useState(() => unsavedChanges(opened, keptDraft(workspaceId, id), savedHistory));
  const parts = usePreview();
  const store = useMemo(() => {
    const created = createEditorStore(createDocument(opened.record as Json), announce);
    const history = unsaved?.history ?? (savedHistory?.version === opened.version ? savedHistory.history : undefined);
    if (history) created.open(history);
    return created;
  }, []);
  const editor = useMemo(() => {
    const created = createOpenEditor({ ...parts, store, canEdit: canEdit.value });
    created.brokenText.value = unsaved?.brokenText;
    return created;
  }, [parts]);
  useEffect(() => editor.keepDrawing(), [editor]);

  const saved = useTemplate(opened, store, unsaved?.version);
  const { template, isChanged, theirs, busy, error } = saved;
  const output = useSignal<ChosenOutput>({ format: 'png', quality: 90 });
  const [dialog, setDialog] = useState<'versions' | 'export' | 'shortcuts'>();
  useRenderOfAddress(async (entry) => {
    const { fillWithFirstSample, fillWithRender } = await import('../../panels/variables/state.js');
    // the log may be set to keep no variables
    if (entry.variables) fillWithRender(editor, entry.variables);
    else fillWithFirstSample(editor);
    const format = entry.format as ChosenOutput['format'];
    // the panel Output has the formats of pictures
    if (!isDocument(format)) output.value = { ...output.value, format };
  }, saved.setError);

  const document = store.document.value;
  const { record } = document;
  const broken = editor.brokenText.value;
  const base = useRef(saved);
  base.current = saved;
  useEffect(
    () =>
      keepHistory(historyName(id), store, () => {
        const { baseVersion: version, savedRecord } = base.current;
        return { version, savedRecord };
      }),
    // a history from before a save would come back as unsaved changes
    [store, saved.baseVersion],
  );
  // keeps changes made while an earlier text is being saved, too
  useEffect(() => {
    const text = broken ?? textOfDocument(document);
    if (isChanged || broken !== undefined) keepDraft(workspaceId, id, { version: saved.baseVersion, text });
    else forgetDraft(workspaceId, id);
  }, [record, broken, isChanged, saved.baseVersion]);

  const isChangedNow = isChanged || broken !== undefined;
  /** Whether the changes began before the page was opened. */
  const isOfBefore = useRef(unsaved !== undefined);
  if (!isChangedNow) isOfBefore.current = false;
  const discard = () => {
    editor.brokenText.value = undefined;
    store.dispatch({ type: 'replace', record: saved.savedRecord }, { label: 'Discard changes' });
  };
  const verification = useMemo(() => createVerification(editor), [editor]);
  const isPhone = useMedia(PHONE);
  const side = panelInView(editor, isPhone) === 'json' ? 'json' : 'right';
  const widths = panelWidths.value;
  const body = useRef<HTMLDivElement>(null);
  usePrefetch(body, PARTS);
  useEditorKeys({
    undo: () => editor.canEdit && store.undo(),
    redo: () => editor.canEdit && store.redo(),
    save: () => editor.canEdit && isChanged && broken === undefined && busy === undefined && saved.save(),
    showShortcuts: () => setDialog('shortcuts'),
  });
  return (
    <div class="editor">
      <Page
        title="Editor"
        description={<TemplateState editor={editor} saved={saved} isChanged={isChangedNow} />}
        actions={
          <Toolbar
            editor={editor}
            saved={saved}
            verification={verification}
            onVersions={() => setDialog('versions')}
            onExport={() => setDialog('export')}
            onShortcuts={() => setDialog('shortcuts')}
          />
        }
      >
        {error && <ErrorAlert error={error} />}
        {unsaved && isOfBefore.current && (
          <Alert kind="note">
            These are your changes to version {unsaved.version}, which were not saved.{' '}
            <Button size="small" kind="quiet" onClick={discard}>
              Discard them
            </Button>
          </Alert>
        )}
        <div ref={body} class="editor-body" style={{ '--left': `${widths.left}px`, '--right': `${widths[side]}px` }}>
          {!isPhone && (
            <>
              <LeftPanel editor={editor} />
              <PanelEdge side="left" />
            </>
          )}
          <Stage editor={editor} />
          {!isPhone && <PanelEdge side={side} />}
          <SidePanel
            editor={editor}
            template={template}
            output={output}
            verification={verification}
            isPhone={isPhone}
          />
        </div>
      </Page>
      {theirs && (
        <Conflict
          editor={editor}
          theirs={theirs}
          isBusy={busy === 'save'}
          onKeepYours={() => saved.save(theirs.version)}
          onTakeTheirs={() => saved.replace(theirs)}
          onClose={saved.forgetTheirs}
        />
      )}
      {dialog === 'versions' && (
        <Versions
          template={template}
          isUnsaved={isChangedNow}
          onChanged={(next, operation) => {
            if (operation === 'publish') return saved.takePublished(next);
            editor.brokenText.value = undefined;
            saved.replace(next);
          }}
          editor={editor}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'export' && (
        <ExportDialog editor={editor} output={output.value} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'shortcuts' && <Shortcuts editor={editor} onClose={() => setDialog(undefined)} />}
    </div>
  );
}

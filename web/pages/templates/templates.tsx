// **Templates**: shows each template as a card with its picture; creates, imports and manages them.
import { useEffect, useState } from 'preact/hooks';
import type { TemplateAnswer, TemplateSummary } from '../../../lib/contract/api/templates.js';
import { announce, toast } from '../../app/announce.js';
import { ApiError, api, withQuery } from '../../app/api.js';
import { formatCount } from '../../app/format.js';
import { usePages } from '../../app/query.js';
import { navigate } from '../../app/router.js';
import { canEdit, inWorkspace } from '../../app/session.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { Alert, Empty, Failed } from '../../ui/feedback.js';
import { SelectField, TextField } from '../../ui/field.js';
import { Page, Toolbar } from '../../ui/page.js';
import { More } from '../../ui/value.js';
import { type CardActions, CardSkeleton, editorPath, TemplateCard } from './card.js';
import { ImportTemplates } from './import-templates.js';
import { NewTemplate } from './new-template.js';
import { duplicateTemplate, exportTemplate, templatePath } from './records.js';
import { hasDraft, isPublished } from './state.js';
import { Versions } from './versions.js';

const PAGE_SIZE = 48;
const LOADING_CARDS = 6;

const STATES = [
  { value: 'all', label: 'All' },
  { value: 'published', label: 'Published' },
  { value: 'draft', label: 'With a draft' },
];

type Open = { readonly kind: 'new' | 'import' } | { readonly kind: 'delete' | 'versions'; readonly id: string };

export default function Templates() {
  const templates = usePages<TemplateSummary>(withQuery(inWorkspace('templates'), { limit: PAGE_SIZE }));
  const [name, setName] = useState('');
  const [state, setState] = useState('all');
  const [open, setOpen] = useState<Open>();
  const [error, setError] = useState<Error>();
  const { items, hasMore, isLoadingMore, loadMore } = templates;
  const isFiltered = name.trim() !== '' || state !== 'all';

  // the server has no such filter, so it needs all templates
  useEffect(() => {
    if (isFiltered && hasMore && !isLoadingMore && !templates.error) void loadMore();
  }, [isFiltered, hasMore, isLoadingMore, templates.error, loadMore]);

  const visibleTemplates = items?.filter((template) => isNamed(template, name) && isInState(template, state));
  const close = () => setOpen(undefined);
  const named = open && 'id' in open ? items?.find(({ id }) => id === open.id) : undefined;
  const replace = (changed: TemplateSummary) =>
    templates.change((all) => all.map((one) => (one.id === changed.id ? changed : one)));

  /** Runs an action and shows its error above the cards. */
  const attempt = (action: (template: TemplateSummary) => Promise<void>) => async (template: TemplateSummary) => {
    setError(undefined);
    await action(template).catch((failure: unknown) => {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    });
  };
  const actions: CardActions = {
    onVersions: ({ id }) => setOpen({ kind: 'versions', id }),
    onDelete: ({ id }) => setOpen({ kind: 'delete', id }),
    onExport: attempt(async (template) => {
      await exportTemplate(template);
      announce(`${template.name} exported`);
    }),
    onDuplicate: attempt(async (template) => {
      const copy = await duplicateTemplate(template.id, items?.map((one) => one.name) ?? []);
      templates.change((all) => [copy, ...all]);
      toast(`${copy.name} created`);
    }),
    onPublish: attempt(async ({ id, version }) => {
      const published = await api.post<TemplateAnswer>(templatePath(id, 'publish'), { version });
      replace(published);
      toast(`${published.name} published`);
    }),
  };

  const buttons = canEdit.value && (
    <>
      <Button icon="upload" onClick={() => setOpen({ kind: 'import' })}>
        Import
      </Button>
      <Button kind="primary" icon="plus" onClick={() => setOpen({ kind: 'new' })}>
        New template
      </Button>
    </>
  );
  const isEmpty = items?.length === 0;

  return (
    <Page
      title="Templates"
      description="Designs whose variables a request fills in."
      actions={isEmpty ? undefined : buttons}
    >
      {error && <Alert>{error.message}</Alert>}
      {templates.error && !items && (
        <div class="card">
          <Failed error={templates.error} onRetry={templates.reload} />
        </div>
      )}
      {isEmpty && (
        <div class="card">
          <Empty icon="templates" title="No templates yet" action={<div class="button-row">{buttons}</div>}>
            A template is drawn once, and rendered with other texts and pictures each time.
          </Empty>
        </div>
      )}
      {!isEmpty && !(templates.error && !items) && (
        <>
          <Toolbar label="Filters">
            <TextField label="Name" type="search" value={name} onInput={setName} placeholder="Any name" />
            <SelectField label="State" value={state} options={STATES} onChange={setState} />
          </Toolbar>
          {visibleTemplates?.length === 0 && !hasMore ? (
            <div class="card">
              <Empty icon="search" title="No template matches">
                Change the filters to see others.
              </Empty>
            </div>
          ) : (
            <ul class="template-grid" aria-label="Templates" aria-busy={!items || undefined}>
              {visibleTemplates?.map((template) => (
                <li key={template.id}>
                  <TemplateCard template={template} actions={actions} />
                </li>
              ))}
              {!items &&
                Array.from({ length: LOADING_CARDS }, (_, index) => (
                  <li key={index}>
                    <CardSkeleton />
                  </li>
                ))}
            </ul>
          )}
          {!isFiltered && <More query={templates} />}
        </>
      )}
      {open?.kind === 'new' && (
        <NewTemplate
          onClose={close}
          onCreated={(template) => {
            toast(`${template.name} created`);
            navigate(editorPath(template.id));
          }}
        />
      )}
      {open?.kind === 'import' && (
        <ImportTemplates
          onClose={close}
          onImported={(count) => {
            toast(`${formatCount(count, 'template')} imported`);
            void templates.reload();
          }}
        />
      )}
      {open?.kind === 'versions' && named && <Versions template={named} onClose={close} onChanged={replace} />}
      {open?.kind === 'delete' && named && (
        <ConfirmDialog
          title="Delete template"
          confirm="Delete"
          isDanger
          onClose={close}
          onConfirm={async () => {
            await api.delete(templatePath(named.id));
            close();
            templates.change((all) => all.filter(({ id }) => id !== named.id));
            toast(`${named.name} deleted`);
          }}
        >
          <p>
            Delete <strong>{named.name}</strong> with all its versions? Renders that name it fail with 404 from then on.
            This can’t be undone.
          </p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

const isNamed = (template: TemplateSummary, text: string) =>
  template.name.toLowerCase().includes(text.trim().toLowerCase());

function isInState(template: TemplateSummary, state: string): boolean {
  if (state === 'published') return isPublished(template);
  return state === 'all' || hasDraft(template);
}

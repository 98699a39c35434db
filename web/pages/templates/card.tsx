// A template in the grid: its picture, name and state, and the actions on it.
import { useId, useState } from 'preact/hooks';
import type { TemplateSummary } from '../../../lib/contract/api/templates.js';
import { formatCount } from '../../app/format.js';
import { navigate } from '../../app/router.js';
import { canEdit, workspace } from '../../app/session.js';
import { Badge } from '../../ui/badge.js';
import { Button, IconButton } from '../../ui/button.js';
import { Skeleton } from '../../ui/feedback.js';
import { Thumbnail } from '../../ui/thumbnail.js';
import { DateTime } from '../../ui/value.js';
import { keptDraft } from '../editor/template-text.js';
import { hasDraft, TemplateState } from './state.js';

export const editorPath = (id: string) => `/dashboard/templates/${encodeURIComponent(id)}`;

export interface CardActions {
  readonly onDuplicate: (template: TemplateSummary) => Promise<void>;
  readonly onExport: (template: TemplateSummary) => Promise<void>;
  readonly onPublish: (template: TemplateSummary) => Promise<void>;
  readonly onVersions: (template: TemplateSummary) => void;
  readonly onDelete: (template: TemplateSummary) => void;
}

export function TemplateCard({
  template,
  actions,
}: {
  readonly template: TemplateSummary;
  readonly actions: CardActions;
}) {
  const { id, name, version, width, height, hotspots, updatedAt } = template;
  const heading = useId();
  const [isBusy, setBusy] = useState(false);
  const run = (action: (template: TemplateSummary) => Promise<void>) => async () => {
    if (isBusy) return;
    setBusy(true);
    await action(template).finally(() => setBusy(false));
  };
  return (
    <article class="template-card" aria-labelledby={heading} aria-busy={isBusy || undefined}>
      <div class="template-picture">
        <Thumbnail source={{ id, version }} label={`Picture of ${name}`} />
      </div>
      <div class="template-text">
        <h2 id={heading} class="template-name">
          <a href={editorPath(id)}>{name}</a>
        </h2>
        <p class="template-facts">
          <span class="nowrap">
            {width} × {height}
          </span>
          <span class="nowrap">{formatCount(hotspots.length, 'variable')}</span>
          <DateTime value={updatedAt} form="ago" />
        </p>
        <span class="badges">
          <TemplateState template={template} />
          {keptDraft(workspace.value?.id ?? '', id) && <Badge kind="accent">Unsaved changes</Badge>}
        </span>
      </div>
      <div class="template-actions">
        {canEdit.value && (
          <Button size="small" icon="edit" onClick={() => navigate(editorPath(id))}>
            Edit
          </Button>
        )}
        {canEdit.value && hasDraft(template) && (
          <Button size="small" kind="quiet" onClick={run(actions.onPublish)}>
            Publish
          </Button>
        )}
        <span class="template-more">
          <IconButton size="small" icon="history" label="Versions" onClick={() => actions.onVersions(template)} />
          {canEdit.value && (
            <IconButton size="small" icon="copy" label="Duplicate" onClick={run(actions.onDuplicate)} />
          )}
          <IconButton size="small" icon="download" label="Export" onClick={run(actions.onExport)} />
          {canEdit.value && (
            <IconButton size="small" icon="trash" label="Delete" onClick={() => actions.onDelete(template)} />
          )}
        </span>
      </div>
    </article>
  );
}

/** A placeholder with the size of a card. */
export function CardSkeleton() {
  return (
    <div class="template-card" aria-hidden="true">
      <div class="template-picture" />
      <div class="template-text">
        <div class="template-name">
          <Skeleton width="9rem" />
        </div>
        <div class="template-facts">
          <Skeleton width="12rem" />
        </div>
        <span class="badges">
          <Skeleton width="5rem" height="1.25rem" />
        </span>
      </div>
      <div class="template-actions">
        <Skeleton width="4rem" height="var(--control-small)" />
      </div>
    </div>
  );
}

// Lists the versions of a template: shows which one renders use, and the pictures of earlier ones.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { TemplateAnswer, TemplateSummary, VersionSummary } from '../../../lib/contract/api/templates.js';
import { useAction } from '../../app/action.js';
import { toast } from '../../app/announce.js';
import { api, withQuery } from '../../app/api.js';
import { formatCount } from '../../app/format.js';
import { usePages } from '../../app/query.js';
import { canEdit } from '../../app/session.js';
import { Badge } from '../../ui/badge.js';
import { Button, IconButton } from '../../ui/button.js';
import { ConfirmDialog, Dialog } from '../../ui/dialog.js';
import { Alert, Failed, Skeleton } from '../../ui/feedback.js';
import { Thumbnail } from '../../ui/thumbnail.js';
import { DateTime, More } from '../../ui/value.js';
import { exportTemplate, templatePath } from './records.js';

const PAGE_SIZE = 20;

export type VersionOperation = 'publish' | 'restore';

export interface VersionsProps {
  readonly template: TemplateSummary;
  readonly onClose: () => void;
  /** Called after **Publish**, which leaves the latest version as it is, and after **Restore**, which creates another one. */
  readonly onChanged: (template: TemplateAnswer, operation: VersionOperation) => void;
  /** Whether there are unsaved changes, which **Restore** would replace: then it asks. */
  readonly isUnsaved?: boolean;
  /** Renders the content of **Compare** for a version. */
  readonly compare?: (version: number) => ComponentChildren;
}

export function Versions({ template, onClose, onChanged, isUnsaved = false, compare }: VersionsProps) {
  const { id, name, publishedVersion } = template;
  const versions = usePages<VersionSummary>(withQuery(templatePath(id, 'versions'), { limit: PAGE_SIZE }));
  const { busy, error, run } = useAction<number>();
  const [compared, setCompared] = useState<number>();

  /** The version to restore while the person is asked about unsaved changes. */
  const [asked, setAsked] = useState<number>();

  const post = async (version: number, operation: VersionOperation) => {
    const path = operation === 'restore' ? 'restore?publish=false' : operation;
    onChanged(await api.post<TemplateAnswer>(templatePath(id, path), { version }), operation);
    toast(`Version ${version} of ${name} ${operation}${operation === 'restore' ? 'd' : 'ed'}`);
    await versions.reload();
  };
  const change = (version: number, operation: VersionOperation) => run(version, () => post(version, operation));

  return (
    <Dialog
      title={`Versions of ${name}`}
      size={compare ? 'large' : 'medium'}
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <div class="stack">
        {error && <Alert>{error.message}</Alert>}
        {versions.error && !versions.items && <Failed error={versions.error} onRetry={versions.reload} />}
        {!versions.items && !versions.error && <Skeleton height="12rem" />}
        <ul class="versions" aria-label="Versions">
          {versions.items?.map(({ version, createdAt, width, height, hotspots }) => (
            <li key={version} class="version" aria-label={`Version ${version}`}>
              <span class="version-picture">
                <Thumbnail source={{ id, version }} size="small" />
              </span>
              <div class="version-text">
                <div class="version-name">
                  <h3>Version {version}</h3>
                  {version === publishedVersion && (
                    <Badge kind="success" hasDot>
                      Published
                    </Badge>
                  )}
                </div>
                <p class="template-facts">
                  <DateTime value={createdAt} />
                  <span class="nowrap">
                    {width} × {height}
                  </span>
                  <span class="nowrap">{formatCount(hotspots.length, 'variable')}</span>
                </p>
              </div>
              <div class="version-actions">
                {compare && (
                  <Button
                    size="small"
                    kind="quiet"
                    aria-expanded={compared === version}
                    onClick={() => setCompared(compared === version ? undefined : version)}
                  >
                    Compare
                  </Button>
                )}
                {canEdit.value && version !== publishedVersion && (
                  <Button size="small" isBusy={busy === version} onClick={() => change(version, 'publish')}>
                    Publish
                  </Button>
                )}
                {canEdit.value && version !== template.version && (
                  <Button
                    size="small"
                    isBusy={busy === version}
                    onClick={() => (isUnsaved ? setAsked(version) : change(version, 'restore'))}
                  >
                    Restore
                  </Button>
                )}
                <IconButton
                  size="small"
                  icon="download"
                  label="Export"
                  onClick={() => run(version, () => exportTemplate(template, version))}
                />
              </div>
              {compare && compared === version && <div class="version-compared">{compare(version)}</div>}
            </li>
          ))}
        </ul>
        <More query={versions} />
      </div>
      {asked !== undefined && (
        <ConfirmDialog
          title={`Restore version ${asked}`}
          confirm="Restore"
          onClose={() => setAsked(undefined)}
          onConfirm={async () => {
            await post(asked, 'restore');
            setAsked(undefined);
          }}
        >
          <p>The editor has changes that are not saved. Version {asked} takes their place; Undo brings them back.</p>
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

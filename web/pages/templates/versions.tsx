// The versions of a template: which one renders use, and what earlier ones looked like.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { TemplateAnswer, TemplateSummary, VersionSummary } from '../../../lib/contract/api/templates.js';
import { useAction } from '../../app/action.js';
import { toast } from '../../app/announce.js';
import { api, withQuery } from '../../app/api.js';
import { formatCount } from '../../app/format.js';
import { usePages } from '../../app/query.js';
import { canEdit } from '../../app/session.js';
import { Button, IconButton } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Alert, Failed, Skeleton } from '../../ui/feedback.js';
import { Thumbnail } from '../../ui/thumbnail.js';
import { Badge, DateTime, More } from '../../ui/value.js';
import { exportTemplate, templatePath } from './records.js';

const PAGE_SIZE = 20;

export interface VersionsProps {
  readonly template: TemplateSummary;
  readonly onClose: () => void;
  readonly onChanged: (template: TemplateAnswer) => void;
  /** What **Compare** shows of a version. */
  readonly compare?: (version: number) => ComponentChildren;
}

export function Versions({ template, onClose, onChanged, compare }: VersionsProps) {
  const { id, name, publishedVersion } = template;
  const versions = usePages<VersionSummary>(withQuery(templatePath(id, 'versions'), { limit: PAGE_SIZE }));
  const { busy, error, run } = useAction<number>();
  const [compared, setCompared] = useState<number>();

  const change = (version: number, operation: string, done: string) =>
    run(version, async () => {
      onChanged(await api.post<TemplateAnswer>(templatePath(id, operation), { version }));
      toast(done);
      await versions.reload();
    });

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
                  <Button
                    size="small"
                    isBusy={busy === version}
                    onClick={() => change(version, 'publish', `Version ${version} of ${name} published`)}
                  >
                    Publish
                  </Button>
                )}
                {canEdit.value && version !== template.version && (
                  <Button
                    size="small"
                    isBusy={busy === version}
                    onClick={() => change(version, 'restore?publish=false', `Version ${version} of ${name} restored`)}
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
    </Dialog>
  );
}

// The versions of a template: what differs from the text in the editor, restore, publish.
import { useState } from 'preact/hooks';
import type { TemplateAnswer, VersionAnswer, VersionSummary } from '../../../lib/contract/api/templates.js';
import { toast } from '../../app/announce.js';
import { ApiError, api } from '../../app/api.js';
import { usePages, useQuery } from '../../app/query.js';
import { canEdit, inWorkspace } from '../../app/session.js';
import { SideBySide } from '../../preview/side-by-side.js';
import { Button } from '../../ui/button.js';
import { Dialog, ErrorAlert } from '../../ui/dialog.js';
import { Failed, Loaded, Skeleton } from '../../ui/feedback.js';
import { Badge, DateTime, More } from '../../ui/value.js';
import { written } from './template-text.js';

export interface VersionsProps {
  readonly template: TemplateAnswer;
  /** The text in the editor. */
  readonly text: string;
  /** What an operation answered: the template as it is now. */
  readonly onChanged: (template: TemplateAnswer, isOtherRecord: boolean) => void;
  readonly onClose: () => void;
}

export function Versions({ template, text, onChanged, onClose }: VersionsProps) {
  const path = `templates/${encodeURIComponent(template.id)}`;
  const versions = usePages<VersionSummary>(inWorkspace(`${path}/versions`));
  const [compared, setCompared] = useState<number>();
  const [busy, setBusy] = useState<string>();
  const [error, setError] = useState<ApiError>();

  const run = async (operation: 'restore' | 'publish', version: number) => {
    setBusy(`${operation} ${version}`);
    setError(undefined);
    try {
      const query = operation === 'restore' ? '?publish=false' : '';
      const headers = { 'if-match': `"${template.version}"` };
      const answer = await api.post<TemplateAnswer>(
        inWorkspace(`${path}/${operation}${query}`),
        { version },
        { headers },
      );
      toast(
        operation === 'restore'
          ? `Version ${version} restored as version ${answer.version}`
          : `Version ${version} published`,
      );
      onChanged(answer, operation === 'restore');
      await versions.reload();
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    } finally {
      setBusy(undefined);
    }
  };

  return (
    <Dialog title="Versions" size="large" onClose={onClose}>
      {error && <ErrorAlert error={error} />}
      {versions.error && !versions.items && <Failed error={versions.error} onRetry={versions.reload} />}
      {!versions.items && !versions.error && <Skeleton height="8rem" />}
      <ul class="versions" aria-label="Versions">
        {versions.items?.map(({ version, createdAt, name }) => (
          <li key={version} class="version" aria-label={`Version ${version}`}>
            <div class="version-line">
              <h3 class="version-name">Version {version}</h3>
              {version === template.publishedVersion && <Badge kind="success">Published</Badge>}
              {version === template.version && <Badge>Latest</Badge>}
              <span class="version-note">
                {name} · <DateTime value={createdAt} form="ago" />
              </span>
              <span class="version-actions">
                <Button
                  size="small"
                  kind="quiet"
                  aria-expanded={compared === version}
                  onClick={() => setCompared(compared === version ? undefined : version)}
                >
                  Compare
                </Button>
                {canEdit.value && version !== template.version && (
                  <Button size="small" isBusy={busy === `restore ${version}`} onClick={() => run('restore', version)}>
                    Restore
                  </Button>
                )}
                {canEdit.value && version !== template.publishedVersion && (
                  <Button size="small" isBusy={busy === `publish ${version}`} onClick={() => run('publish', version)}>
                    Publish
                  </Button>
                )}
              </span>
            </div>
            {compared === version && <Comparison path={path} version={version} text={text} />}
          </li>
        ))}
      </ul>
      <More query={versions} />
    </Dialog>
  );
}

function Comparison({
  path,
  version,
  text,
}: {
  readonly path: string;
  readonly version: number;
  readonly text: string;
}) {
  const answer = useQuery<VersionAnswer>(inWorkspace(`${path}/versions/${version}`));
  return (
    <Loaded query={answer} loading={<Skeleton height="12rem" />}>
      {({ record }) => (
        <SideBySide
          left={{ title: `Version ${version}`, text: written(record) }}
          right={{ title: 'In the editor', text }}
        />
      )}
    </Loaded>
  );
}

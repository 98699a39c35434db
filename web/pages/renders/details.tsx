// The details of an entry of the render log, in a dialog.
import type { ComponentChildren } from 'preact';
import type { RenderLogEntry } from '../../../lib/contract/api/renders.js';
import { formatBytes, formatCount, formatDuration, formatFullTime, formatNumber } from '../../app/format.js';
import { useQuery } from '../../app/query.js';
import { inWorkspace } from '../../app/session.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Alert, Loaded, Skeleton } from '../../ui/feedback.js';
import { Code } from '../../ui/value.js';
import { Status } from './status.js';

export interface RenderDetailsProps {
  readonly id: string;
  /** The entry from the list, which is shown until the whole one has loaded. */
  readonly listed: RenderLogEntry | undefined;
  /** Names of all templates by id; undefined unless all are known. */
  readonly templateNames: ReadonlyMap<string, string> | undefined;
  readonly keyNames: ReadonlyMap<string, string>;
  readonly onClose: () => void;
}

export function RenderDetails({ id, listed, templateNames, keyNames, onClose }: RenderDetailsProps) {
  const loaded = useQuery<RenderLogEntry>(inWorkspace(`renders/${encodeURIComponent(id)}`));
  const entry = loaded.data ?? listed;
  const isDeleted =
    entry?.templateId !== undefined && templateNames !== undefined && !templateNames.has(entry.templateId);
  const canOpen = entry?.templateId !== undefined && !isDeleted;
  return (
    <Dialog
      title="Render"
      size="medium"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {canOpen && (
            <ButtonLink kind="primary" href={editorOf(entry)}>
              Open in editor
            </ButtonLink>
          )}
        </>
      }
    >
      <Loaded query={{ ...loaded, data: entry }} loading={<Skeleton height="20rem" />}>
        {(logged) => (
          <div class="stack">
            {logged.status === 'failed' && (
              <Alert>
                <strong>{logged.code}</strong>
                {logged.detail?.path && (
                  <>
                    {' '}
                    at <Code>{logged.detail.path}</Code>
                  </>
                )}
                {logged.detail && <div>{logged.detail.message}</div>}
              </Alert>
            )}
            <Facts entry={logged} templateNames={templateNames} keyNames={keyNames} isDeleted={isDeleted} />
            <Block title="Metadata" value={logged.metadata} none="The request had no metadata." />
            {logged.variables && (
              <Block title="Variables" value={logged.variables} none="The request had no variables." />
            )}
            {canOpen && !logged.variables && (
              <p class="faint">
                The log has no variables of this render: the editor opens the template with its samples. With{' '}
                <Code>LOG_VARIABLES=on</Code> the server keeps them.
              </p>
            )}
            {logged.templateId === undefined && (
              <p class="faint">The log keeps no layers, so a canvas can’t be opened again.</p>
            )}
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}

/** Returns the editor's address for the entry; the editor takes the variables from the log. */
function editorOf({ id, templateId }: RenderLogEntry): string {
  return `/dashboard/templates/${encodeURIComponent(templateId ?? '')}?render=${encodeURIComponent(id)}`;
}

interface FactsProps extends Pick<RenderDetailsProps, 'templateNames' | 'keyNames'> {
  readonly entry: RenderLogEntry;
  readonly isDeleted: boolean;
}

function Facts({ entry, templateNames, keyNames, isDeleted }: FactsProps) {
  const { templateId, templateVersion, width, height, sha256, replayOf, keyId } = entry;
  const template = templateId === undefined ? 'Canvas' : (templateNames?.get(templateId) ?? templateId);
  return (
    <dl class="facts">
      <Fact name="Status">
        <Status entry={entry} />
      </Fact>
      <Fact name="Time">{formatFullTime(entry.time)}</Fact>
      <Fact name="Template">
        {template}
        {templateVersion !== undefined && `, version ${templateVersion}`}
        {isDeleted && <span class="faint"> (there is none now)</span>}
      </Fact>
      <Fact name="Format">
        {entry.format.toUpperCase()}
        {width > 0 && `, ${formatNumber(width)} × ${formatNumber(height)} pixels`}
      </Fact>
      {entry.sizeBytes > 0 && <Fact name="Size">{formatBytes(entry.sizeBytes)}</Fact>}
      <Fact name="Duration">{formatDuration(entry.durationMs)}</Fact>
      {entry.cpuMs !== undefined && <Fact name="Processor time">{formatDuration(entry.cpuMs)}</Fact>}
      <Fact name="Credits">{formatNumber(entry.creditsCost)}</Fact>
      <Fact name="Warnings">{entry.warnings === 0 ? 'None' : formatCount(entry.warnings, 'warning')}</Fact>
      <Fact name="Key">{keyNames.get(keyId) ?? keyId}</Fact>
      <Fact name="Id">
        <Code>{entry.id}</Code>
      </Fact>
      {replayOf !== undefined && (
        <Fact name="Repeats">
          <a href={`?render=${encodeURIComponent(replayOf)}`}>
            <Code>{replayOf}</Code>
          </a>
        </Fact>
      )}
      {sha256 !== undefined && (
        <Fact name="SHA-256">
          <Code>{sha256}</Code>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

interface BlockProps {
  readonly title: string;
  readonly value: Readonly<Record<string, unknown>> | undefined;
  readonly none: string;
}

/** A value of the request as JSON. */
function Block({ title, value, none }: BlockProps) {
  const isEmpty = value === undefined || Object.keys(value).length === 0;
  return (
    <section>
      <h3>{title}</h3>
      {isEmpty ? <p class="faint">{none}</p> : <pre class="code-block">{JSON.stringify(value, null, 2)}</pre>}
    </section>
  );
}

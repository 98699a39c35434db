// Lists faults and warnings. Each leads to its place in the text.
import { formatCount } from '../app/format.js';
import type { Finding } from '../json/findings.js';
import { Badge } from '../ui/badge.js';
import { Icon } from '../ui/icon.js';
import { Card } from '../ui/page.js';

export interface ProblemsProps {
  readonly findings: readonly Finding[];
  /** The line of each, from 1; undefined for a finding about something else. */
  readonly lines: readonly (number | undefined)[];
  readonly onReveal: (finding: Finding) => void;
}

const KINDS = { error: 'Fault', warning: 'Warning' } as const;

export function Problems({ findings, lines, onReveal }: ProblemsProps) {
  const faults = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - faults;
  return (
    <Card
      title="Warnings"
      isFlush
      actions={
        <>
          {faults > 0 && <Badge kind="danger">{formatCount(faults, 'fault')}</Badge>}
          {warnings > 0 && <Badge kind="warning">{formatCount(warnings, 'warning')}</Badge>}
        </>
      }
    >
      {findings.length === 0 ? (
        <p class="problems-none">
          <Icon name="check" /> Nothing to warn about
        </p>
      ) : (
        <ul class="problems">
          {findings.map((finding, index) => {
            const line = lines[index];
            const { severity, code, path, message } = finding;
            const text = (
              <>
                <span class={`problem-mark problem-${severity}`}>
                  <Icon name="alert" />
                  <span class="visually-hidden">{KINDS[severity]}: </span>
                </span>
                <span class="problem-text" title={code}>
                  {path !== '' && <code class="problem-path">{path}</code>} {message}
                </span>
                {line !== undefined && <span class="problem-line">line {line}</span>}
              </>
            );
            return (
              <li key={`${path} ${message}`}>
                {line === undefined ? (
                  <div class="problem">{text}</div>
                ) : (
                  <button type="button" class="problem" onClick={() => onReveal(finding)}>
                    {text}
                  </button>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}

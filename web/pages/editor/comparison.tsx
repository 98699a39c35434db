// A version of a template beside the text in the editor.
import type { VersionAnswer } from '../../../lib/contract/api/templates.js';
import { useQuery } from '../../app/query.js';
import { inWorkspace } from '../../app/session.js';
import { SideBySide } from '../../preview/side-by-side.js';
import { Loaded, Skeleton } from '../../ui/feedback.js';
import { written } from './template-text.js';

interface ComparisonProps {
  readonly id: string;
  readonly version: number;
  readonly text: string;
}

export function Comparison({ id, version, text }: ComparisonProps) {
  const path = `templates/${encodeURIComponent(id)}/versions/${version}`;
  const answer = useQuery<VersionAnswer>(inWorkspace(path));
  return (
    <Loaded query={answer} loading={<Skeleton height="12rem" />}>
      {({ record }) => (
        <SideBySide left={{ title: 'This version', text: written(record) }} right={{ title: 'In the editor', text }} />
      )}
    </Loaded>
  );
}

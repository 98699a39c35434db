// Shows whether renders use a template: published, a draft, or a draft that is newer than the published version.
import type { TemplateSummary } from '../../../lib/contract/api/templates.js';
import { Badge } from '../../ui/badge.js';

type Versions = Pick<TemplateSummary, 'version' | 'publishedVersion'>;

export const isPublished = ({ publishedVersion }: Versions) => publishedVersion !== null;
export const hasDraft = ({ version, publishedVersion }: Versions) => version !== publishedVersion;

export function TemplateState({ template }: { readonly template: Versions }) {
  if (!isPublished(template)) return <Badge>Draft</Badge>;
  return (
    <span class="badges">
      <Badge kind="success" hasDot>
        Published
      </Badge>
      {hasDraft(template) && <Badge kind="warning">Newer draft</Badge>}
    </span>
  );
}

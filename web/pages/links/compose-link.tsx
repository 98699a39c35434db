// Composes the URL of an image from a template and its variables. It is signed elsewhere, so that nobody types a private key
// here.
import { useState } from 'preact/hooks';
import type { TemplateSummary, VersionAnswer } from '../../../lib/contract/api/templates.js';
import type { LinkKeyAnswer } from '../../../lib/contract/dashboard.js';
import { useAllPages, useQuery } from '../../app/query.js';
import { inWorkspace, session } from '../../app/session.js';
import { hotspotFields } from '../../preview/hotspots.js';
import { Failed, Skeleton } from '../../ui/feedback.js';
import { FieldGroup, SelectField, TextField } from '../../ui/field.js';
import { Card, Toolbar } from '../../ui/page.js';
import { CopyField } from '../../ui/value.js';
import { endOfDay, imageUrl, signingCode } from './image-url.js';

const FORMATS = ['png', 'jpg', 'webp', 'avif'].map((value) => ({ value, label: value.toUpperCase() }));

const optionsOf = (items: readonly { readonly id: string; readonly name: string }[]) =>
  items.map(({ id, name }) => ({ value: id, label: name }));

/** `keys` has at least one key, all of them active. */
export function ComposeLink({ keys }: { readonly keys: readonly LinkKeyAnswer[] }) {
  const templates = useAllPages<TemplateSummary>(inWorkspace('templates?limit=200'));
  const [templateId, setTemplateId] = useState('');
  const [keyId, setKeyId] = useState('');
  const [format, setFormat] = useState('png');
  const [lastDay, setLastDay] = useState('');
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});

  const published = templates.items?.filter(({ publishedVersion }) => publishedVersion !== null);
  const template = published?.find(({ id }) => id === templateId) ?? published?.[0];
  const key = keys.find(({ id }) => id === keyId) ?? keys[0]!;
  // links render the published version, which may have other variables than the latest one
  const version = useQuery<VersionAnswer>(
    template && inWorkspace(`templates/${encodeURIComponent(template.id)}/versions/${template.publishedVersion}`),
  );
  const failed = [templates, version].find(({ error }) => error);

  const expires = lastDay === '' ? undefined : endOfDay(lastDay);
  const isOver = expires !== undefined && !(expires * 1000 > Date.now());
  // links carry only texts, so they can't fill shapes and groups
  const fields = version.data && hotspotFields(version.data.record).filter(({ main }) => main);
  const url =
    template && fields && !isOver
      ? imageUrl({
          origin: session.value?.origin ?? location.origin,
          templateId: template.id,
          format,
          keyId: key.id,
          variables: Object.fromEntries(fields.map((field) => [field.key, texts[field.key] ?? ''])),
          expires,
        })
      : undefined;

  return (
    <Card title="Compose a link">
      <div class="stack">
        {failed?.error && <Failed error={failed.error} onRetry={failed.reload} />}
        {!published && !failed && <Skeleton height="4rem" />}
        {published && !template && <p>No template is published yet: a link renders the published version.</p>}
        {published && template && (
          <Toolbar label="Image">
            <SelectField label="Template" value={template.id} options={optionsOf(published)} onChange={setTemplateId} />
            <SelectField label="Format" value={format} options={FORMATS} onChange={setFormat} />
            <SelectField label="Link key" value={key.id} options={optionsOf(keys)} onChange={setKeyId} />
            <TextField
              label="Expires after (UTC)"
              type="date"
              value={lastDay}
              max="9999-12-31"
              error={isOver ? 'This day is over.' : undefined}
              onInput={setLastDay}
            />
          </Toolbar>
        )}
        {template && !fields && !failed && <Skeleton height="8rem" />}
        {template && fields && fields.length > 0 && (
          <FieldGroup legend="Variables">
            {fields.map(({ key: name, label, main }) => (
              <TextField
                key={name}
                label={label}
                placeholder={main?.standard}
                value={texts[name] ?? ''}
                onInput={(text) => setTexts((before) => ({ ...before, [name]: text }))}
              />
            ))}
          </FieldGroup>
        )}
        {url && (
          <>
            <CopyField label="Unsigned URL" value={url} hint="It shows nothing until it is signed." />
            <CopyField
              label="Code"
              value={signingCode(url)}
              rows={6}
              hint="Signs the URL on your server, which has the private key in LINK_KEY. Never sign in a page."
            />
          </>
        )}
      </div>
    </Card>
  );
}

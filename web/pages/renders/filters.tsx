// The filters above the render log. They are part of the page's address, so people can bookmark and send a filtered log.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TemplateSummary } from '../../../lib/contract/api/templates.js';
import type { KeyAnswer } from '../../../lib/contract/dashboard.js';
import { setQuery } from '../../app/router.js';
import { Button } from '../../ui/button.js';
import { type Option, SelectField, TextField } from '../../ui/field.js';
import { Toolbar } from '../../ui/page.js';
import { hasFilter, metadataOf, NO_FILTER, type RenderFilter } from './filter.js';

const STATUSES: readonly Option[] = [
  { value: '', label: 'All' },
  { value: 'ok', label: 'OK' },
  { value: 'failed', label: 'Failed' },
];

/** Milliseconds without a key after which the search begins. */
const PAUSE_MS = 300;

export interface FiltersProps {
  readonly filter: RenderFilter;
  readonly templates: readonly Pick<TemplateSummary, 'id' | 'name'>[];
  readonly keys: readonly Pick<KeyAnswer, 'id' | 'name'>[];
}

export function Filters({ filter, templates, keys }: FiltersProps) {
  const { status, template, key, from, to } = filter;
  return (
    <Toolbar label="Filters">
      <SelectField label="Status" value={status} options={STATUSES} onChange={(value) => setQuery({ status: value })} />
      <SelectField
        label="Template"
        value={template}
        options={optionsOf(templates, template)}
        onChange={(value) => setQuery({ template: value })}
      />
      <SelectField
        label="Key"
        value={key}
        options={optionsOf(keys, key)}
        onChange={(value) => setQuery({ key: value })}
      />
      <TextField
        label="From"
        type="date"
        value={from}
        max={to || undefined}
        onInput={(value) => setQuery({ from: value })}
      />
      <TextField
        label="To"
        type="date"
        value={to}
        min={from || undefined}
        onInput={(value) => setQuery({ to: value })}
      />
      <MetadataFilter value={filter.metadata} />
      {hasFilter(filter) && (
        <Button kind="quiet" class="toolbar-end" onClick={() => setQuery(NO_FILTER)}>
          Clear filters
        </Button>
      )}
    </Toolbar>
  );
}

/** Lists all options, and the chosen one if it is missing: it may have been deleted since. */
function optionsOf(items: readonly { readonly id: string; readonly name: string }[], chosen: string): Option[] {
  const isListed = chosen === '' || items.some(({ id }) => id === chosen);
  return [
    { value: '', label: 'All' },
    ...items.map(({ id, name }) => ({ value: id, label: name })),
    ...(isListed ? [] : [{ value: chosen, label: chosen }]),
  ];
}

function MetadataFilter({ value }: { readonly value: string }) {
  const [text, setText] = useState(value);
  const [isJudged, setJudged] = useState(false);
  const timer = useRef(0);
  // the browser's buttons and **Clear filters** may change the address
  useEffect(() => setText(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const isMalformed = text.trim() !== '' && !metadataOf(text);
  const apply = (next: string) => {
    clearTimeout(timer.current);
    if (next.trim() === '' || metadataOf(next)) setQuery({ metadata: next.trim() });
  };
  return (
    <TextField
      label="Metadata"
      placeholder="key=value"
      value={text}
      error={isMalformed && isJudged ? 'Write key=value' : undefined}
      onInput={(next) => {
        setText(next);
        setJudged(false);
        clearTimeout(timer.current);
        timer.current = window.setTimeout(() => apply(next), PAUSE_MS);
      }}
      onBlur={() => {
        setJudged(true);
        apply(text);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        setJudged(true);
        apply(text);
      }}
    />
  );
}

// The form of GET /docs that calls an operation, and its examples. The script of the page shows the forms and sends them.
import type { Operation, OperationBody } from '../../lib/contract/api/operations/operation.js';
import { formatJson, LANGUAGES, SETUP, snippetsOf } from './snippets.js';
import { escapeHtml, type Parameter } from './tables.js';

/** The examples of an operation, closed. */
export function snippetDetails(operation: Operation): string {
  const snippets = snippetsOf(operation);
  const parts = LANGUAGES.map(({ id, title }) => `<h4>${title}</h4>${pre(snippets[id])}`);
  return `<details><summary>Examples</summary>${parts.join('')}</details>`;
}

/** Shows the code that the examples start with. */
export function setupDetails(): string {
  const parts = LANGUAGES.map(({ id, title }) => `<h4>${title}</h4>${pre(SETUP[id])}`);
  return `<p>The examples of the operations below start with these lines:</p>${parts.join('')}`;
}

export function tryForm(
  { id, method, path, tag, summary, headers = [], body }: Operation,
  parameters: readonly Parameter[],
) {
  const fields = parameters.flatMap((parameter) => {
    const { name = '', in: place = '' } = parameter;
    return name === '' ? [] : [parameterField(`${id}-${name}`, place, name, parameter, tag)];
  });
  const headerFields = headers.map((name) =>
    field(`${id}-${name}`, name, input(`${id}-${name}`, `header:${name}`, '')),
  );
  const inputs = [...fields, ...headerFields, ...(body ? [bodyField(id, body)] : [])];
  return `<form class="try" hidden data-method="${method}" data-path="${escapeHtml(path)}" data-tag="${escapeHtml(tag)}" aria-label="${escapeHtml(`Try: ${summary}`)}">
${inputs.join('')}<p><button type="submit">Send</button></p><div class="answer" role="status" aria-live="polite"></div></form>`;
}

function parameterField(id: string, place: string, name: string, { schema = {}, example }: Parameter, tag: string) {
  if (name === 'metadata') return field(id, 'metadata.', input(id, 'metadata', 'order=42'));
  if (place === 'path') {
    // the id of what was last made or listed fills an empty field
    const filled = name === 'id' ? ` data-id-of="${escapeHtml(tag)}"` : '';
    return field(id, name, input(id, `path:${name}`, example ?? '', ` required${filled}`));
  }
  const values = schema.type === 'boolean' ? [true, false] : schema.enum;
  const options = values?.map((value) => `<option>${escapeHtml(String(value))}</option>`).join('');
  const control = options
    ? `<select id="${id}" name="query:${name}"><option value=""></option>${options}</select>`
    : input(id, `query:${name}`, schema.default === undefined ? '' : String(schema.default));
  return field(id, name, control);
}

function bodyField(id: string, { mediaType, example }: OperationBody): string {
  if (mediaType !== 'application/json')
    return field(`${id}-body`, 'File', `<input id="${id}-body" name="file" type="file" required>`);
  const text = formatJson(example);
  const rows = Math.min(text.split('\n').length + 1, 16);
  const area = `<textarea id="${id}-body" name="body" rows="${rows}" spellcheck="false" required>${escapeHtml(text)}</textarea>`;
  return field(`${id}-body`, 'Body', area);
}

function field(id: string, label: string, control: string): string {
  return `<p class="field"><label for="${id}">${escapeHtml(label)}</label>${control}</p>`;
}

function input(id: string, name: string, placeholder: string, attributes = ''): string {
  return `<input id="${id}" name="${name}" placeholder="${escapeHtml(placeholder)}" autocomplete="off" spellcheck="false"${attributes}>`;
}

function pre(text: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;
}

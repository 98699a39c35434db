// Renders the operations of the API as HTML: what each needs, takes and answers.
import { ERRORS } from '../../lib/contract/api/errors.js';
import {
  errorsOf,
  type Operation,
  type OperationAnswer,
  REQUEST_HEADERS,
} from '../../lib/contract/api/operations/operation.js';
import { snippetDetails, tryForm } from './form.js';
import { escapeHtml, link, type Parameter, type Schema, table, typeOf } from './tables.js';

export function operationSection(operation: Operation, parameters: readonly Parameter[]): string {
  const { id, method, path, summary, description, scope, body, headers = [], isSigned } = operation;
  const rows = [
    ...parameters.flatMap(({ name, in: place, description: text = '', required, schema = {} }) =>
      name === undefined || place === undefined
        ? []
        : [[code(name), place, typeOf(schema), defaultOf(schema, required), escapeHtml(text)]],
    ),
    ...headers.map((name) => [code(name), 'header', 'string', '', escapeHtml(REQUEST_HEADERS[name])]),
  ];
  const needs = isSigned
    ? 'Needs no API key.'
    : scope
      ? `Needs the scope ${code(scope)}.`
      : 'Any valid key may call it.';
  return `<article id="${id}"><h3>${escapeHtml(summary)}: ${code(`${method} ${path}`)}</h3>
<p>${escapeHtml(description)} ${needs}</p>
${rows.length > 0 ? table(['Parameter', 'In', 'Type', 'Default', 'Meaning'], rows) : ''}
${body ? `<p>Body: ${bodyOf(body.schemas)}. ${escapeHtml(body.description)}</p>` : ''}
${table(['Status', 'Answer'], [...operation.answers.map(answerRow), ...errorRows(operation)])}
${isSigned ? '' : snippetDetails(operation) + tryForm(operation, parameters)}</article>`;
}

function bodyOf(schemas: readonly string[]): string {
  return schemas.length === 0 ? 'the file' : `JSON, ${schemas.map((name) => link(name, name)).join(' or ')}`;
}

function answerRow({ status, description, schema, streams = [], headers = [] }: OperationAnswer): string[] {
  const parts = [
    escapeHtml(description),
    ...(schema === undefined ? [] : [`JSON: ${link(schema, schema)}`]),
    ...streams.map(({ mediaType, lines }) => code(mediaType) + (lines ? `, a line each: ${link(lines, lines)}` : '')),
    ...(headers.length > 0 ? [`with the headers ${headers.map(code).join(', ')}`] : []),
  ];
  return [String(status), parts.join('; ')];
}

/** Its errors by status. */
function errorRows(operation: Operation): string[][] {
  const codes = new Map<number, string[]>();
  for (const name of errorsOf(operation)) {
    const { status } = ERRORS[name];
    codes.set(status, [...(codes.get(status) ?? []), code(name)]);
  }
  return [...codes].sort(([a], [b]) => a - b).map(([status, names]) => [String(status), names.join(', ')]);
}

function defaultOf({ default: value }: Schema, required = false): string {
  if (value !== undefined) return code(JSON.stringify(value));
  return required ? 'required' : '';
}

function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

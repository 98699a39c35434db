// Shows the schema's description of a field under the pointer and beside a completion.
import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import { fieldAt, type SchemaOf } from './place.js';
import { type Field, type Hint, hintOf } from './schema.js';

function element(name: string, className: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

function hintElement({ name, type, standard, descriptions }: Hint): HTMLElement {
  const hint = element('div', 'hint', '');
  const title = element('div', 'hint-title', '');
  title.append(element('strong', 'hint-name', name));
  if (type !== '') title.append(' ', element('span', 'hint-type', type));
  hint.append(title);
  for (const description of descriptions) hint.append(element('p', 'hint-text', description));
  if (standard !== undefined) hint.append(element('p', 'hint-text', `Default: ${standard}`));
  return hint;
}

export const fieldHint = ({ name, schemas }: Field): HTMLElement => hintElement(hintOf(name, schemas));

export function hoverHints(schema: SchemaOf): Extension {
  return hoverTooltip(({ state }, position, side) => {
    const field = fieldAt(state, position, side, schema);
    if (!field) return null;
    const { from, to } = field.range;
    return { pos: from, end: to, above: true, create: () => ({ dom: hintElement(hintOf(field.name, field.schemas)) }) };
  });
}

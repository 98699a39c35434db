// The names that an expression of a layer may use: variables, hotspots, tokens, and the entries of lists that repeat it.
import { type EditorDocument, locate, type NodeId, walk } from './document.js';
import { isObject, type Json, textOf } from './json.js';

const IDENTIFIER = /^[A-Za-z_]\w*$/;

/** The names in the scope of a layer's fields, the nearest first: `item`, `i`, `items`, `title`, `tokens.brand`. */
export function namesInScope(document: EditorDocument, id: NodeId): string[] {
  const { record } = document;
  const located = locate(document, id);
  const nodes = located ? [located.node, ...located.ancestors.toReversed()] : [];
  const variables = isObject(record.variables) ? record.variables : {};
  const entries = nodes.flatMap(({ raw }) => namesOfEach(raw.each, variables));
  const hotspots = Array.from(walk(document), ({ node }) => textOf(node.raw.key)).filter((key) => key !== undefined);
  const own = [...Object.keys(variables), ...hotspots].map((name) =>
    IDENTIFIER.test(name) ? name : `vars[${JSON.stringify(name)}]`,
  );
  const tokens = isObject(record.tokens) ? Object.keys(record.tokens) : [];
  const named = tokens.map((name) => (IDENTIFIER.test(name) ? `tokens.${name}` : `tokens[${JSON.stringify(name)}]`));
  return [...new Set([...entries, ...own, ...named])];
}

/** The names that an `each` brings: the entry, with its fields if the list is a declared variable, and its index. */
function namesOfEach(each: unknown, variables: Json): string[] {
  const list = textOf(isObject(each) ? each.in : each);
  if (list === undefined) return [];
  const { as, index } = isObject(each) ? each : { as: undefined, index: undefined };
  const item = textOf(as) ?? 'item';
  const [, name = ''] = /^\{\{=\s*(\w+)\s*\}\}$/.exec(list) ?? [];
  const declaration = Object.hasOwn(variables, name) ? variables[name] : undefined;
  const of = isObject(declaration) && isObject(declaration.of) ? declaration.of : {};
  const fields = isObject(of.fields) ? of.fields : typeof of.type === 'string' ? {} : of;
  const members = Object.keys(fields).filter((field) => IDENTIFIER.test(field));
  return [item, ...members.map((field) => `${item}.${field}`), textOf(index) ?? 'i'];
}

/** The expression that stands for a plain value. */
export function expressionFor(value: unknown): string {
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
  return `{{= ${isPlain ? JSON.stringify(value) : 'null'} }}`;
}

// The part of schema.json that the forms of the template editor are made from: the fields of each type of layer and of a
// template, with what repeats written once. And the bundled families of fonts that they offer.

const LAYERS = {
  text: 'TextInPlace',
  image: 'ImageInPlace',
  qrcode: 'QrcodeInPlace',
  barcode: 'BarcodeInPlace',
  shape: 'ShapeInPlace',
  table: 'TableLayer',
  group: 'InPlaceGroup',
};
/** Fields that no form edits, because the tree does. */
const OF_THE_TREE = ['type', 'layers', 'hotspots'];
/** Keys that a form implies. */
const IMPLIED = ['additionalProperties', '$schema'];
/** Fields that other vendors' editors don't know. */
const NOT_OF_RECORDS = ['$schema', 'id', 'workspaceId', 'sizes', 'samples'];
/** Fields of templates and layers with data, which are edited as JSON. */
const OF_DATA = ['variables', 'components', 'tokens', 'themes', 'else'];
/** Reference to what any field may be in place of its own value. */
const EXPRESSION = '#/definitions/Expression';
/** Comment in the schema of a colour that may be a gradient. */
const FILL = '<color> | <gradient>';
/** Shorter ones are not worth a reference. */
const MIN_SHARED = 48;

/** The forms of the layers. @param {Record<string, any>} schema schema.json */
export function layerForms({ definitions: named }) {
  const definitions = resolved(named);
  const forms = {};
  for (const [type, name] of Object.entries(LAYERS))
    forms[type] = form(definitions[name], [...OF_THE_TREE, ...OF_DATA]);
  return { definitions: shared(forms) };
}

/** The form of the template, which is seen first. @param {Record<string, any>} schema schema.json */
export function templateForm({ definitions: named }) {
  const definitions = resolved(named);
  const hidden = [...OF_THE_TREE, ...NOT_OF_RECORDS, ...OF_DATA];
  return { definitions: shared({ template: form(definitions.Template, hidden) }) };
}

/** @param {{ faces: { family: string, weight: number, style: string }[] }} manifest fonts/manifest.json */
export function fontFamilies({ faces, fallback, emoji }) {
  return Array.from(new Set(faces.map(({ family }) => family)), (family) => {
    const own = faces.filter((face) => face.family === family);
    const weights = (style) => own.filter((face) => face.style === style).map(({ weight }) => weight);
    const isFallback = family !== 'Inter' && (fallback.includes(family) || family === emoji);
    return { family, weights: weights('normal'), italics: weights('italic'), ...(isFallback && { isFallback }) };
  });
}

function form({ properties, required = [] }, hidden) {
  const fields = Object.entries(properties).filter(([name]) => !hidden.includes(name));
  return simplified({
    type: 'object',
    properties: Object.fromEntries(fields),
    // a layer need not be a hotspot
    required: required.filter((name) => !hidden.includes(name) && name !== 'key' && name !== 'label'),
  });
}

/**
 * The definitions with what several share in its place, and alternatives that are chosen by `if` as `anyOf`. A field that may
 * be an expression is what it is without one, and an object whose `if` chooses required fields requires those of its `else`.
 */
function resolved(definitions) {
  const inline = (value) => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== 'object' || value === null) return value;
    const name = typeof value.$ref === 'string' ? value.$ref.replace('#/definitions/', '') : '';
    if (/^s-\d+$/.test(name)) return inline(definitions[name]);
    const { if: condition, then: chosen, else: other, ...rest } = value;
    const own = Object.fromEntries(Object.entries(rest).map(([key, each]) => [key, inline(each)]));
    const isText = Array.isArray(own.enum) && own.enum.every((each) => typeof each === 'string');
    const typed = isText && own.type === undefined ? { ...own, type: 'string' } : own;
    if (condition === undefined) return typed;
    if (condition.$ref === EXPRESSION) return { ...inline(other), ...typed };
    if (typed.properties) return { ...typed, required: inline(other).required };
    const branches = [chosen, other].filter((each) => each !== undefined);
    return { ...typed, anyOf: listsLast(branches.flatMap((each) => alternatives(inline(each)))) };
  };
  return inline(definitions);
}

const listsLast = (schemas) => schemas.toSorted((a, b) => Number(a.type === 'array') - Number(b.type === 'array'));

/** The alternatives of the rest of a chain of `if`. */
const alternatives = (schema) => (Object.keys(schema).join() === 'anyOf' ? schema.anyOf : [schema]);

/** Removes the parts that forms don't need. A colour that may be a gradient gets the format `fill`. */
function simplified(value) {
  if (Array.isArray(value)) return value.map(simplified);
  if (typeof value !== 'object' || value === null) return value;
  const { $comment, ...schema } = value;
  const kept = Object.entries(schema).filter(([key, each]) => !(IMPLIED.includes(key) && typeof each !== 'object'));
  return {
    ...Object.fromEntries(kept.map(([key, each]) => [key, simplified(each)])),
    ...(formatIn($comment) && { format: formatIn($comment) }),
  };
}

/** The format that a comment such as `<css-filter>` notes. */
function formatIn(comment) {
  return comment === FILL ? 'fill' : /^<([\w-]+)>$/.exec(comment ?? '')?.[1];
}

/** The definitions with references in place of schemas that occur several times. */
function shared(forms) {
  const counts = new Map();
  const count = (value) => {
    if (typeof value !== 'object' || value === null) return;
    const text = JSON.stringify(value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    // what is in a repeated schema is written once with it
    if (counts.get(text) === 1) Object.values(value).forEach(count);
  };
  Object.values(forms).forEach(count);
  const names = new Map();
  const definitions = {};
  const named = (value, isSchema) => {
    if (typeof value !== 'object' || value === null) return value;
    const text = JSON.stringify(value);
    const isShared = isSchema && !Array.isArray(value) && counts.get(text) > 1 && text.length >= MIN_SHARED;
    if (isShared && !names.has(text)) {
      const name = String(names.size);
      names.set(text, name);
      definitions[name] = inner(value);
    }
    return isShared ? { $ref: `#/definitions/${names.get(text)}` } : inner(value);
  };
  const inner = (value) =>
    Array.isArray(value)
      ? value.map((each) => named(each, true))
      : Object.fromEntries(
          Object.entries(value).map(([key, each]) => {
            if (key === 'properties') {
              return [key, Object.fromEntries(Object.entries(each).map(([name, one]) => [name, named(one, true)]))];
            }
            return [key, named(each, key === 'items' || key === 'additionalProperties')];
          }),
        );
  for (const [name, value] of Object.entries(forms)) definitions[name] = inner(value);
  return definitions;
}

// The zod schemas → JSON Schema: the named schemas of the OpenAPI document, and schema.json for editors.
import * as z from 'zod';
import { asciiUppercase } from '../unicode/ascii.js';
import { canvasRequest, documentCanvasRequest, templateRequest } from './api/request.js';
import { byType, choose, editorDefinitions, when } from './editor-schema.js';
import { chartLayer } from './layers/expanded/chart.js';
import { tableLayer } from './layers/expanded/table.js';
import { barcodeLayer, groupLayer, iconLayer, imageLayer, qrcodeLayer, shapeLayer, textLayer } from './layers/index.js';
import { text } from './schema/fields.js';
import { FIXED_FIELDS } from './template/overrides.js';
import {
  hotspotSchemas,
  inPlaceSchemas,
  templateRecord,
  templateSample,
  templateSamples,
  templateSize,
} from './template/parse.js';

type Json = Record<string, unknown>;

const GROUP_LAYERS = "drawn in order: the first lies at the bottom; coordinates start at the group's box";

/** A group with the schemas of its layers. In a template they may be hotspots. */
const groupWithLayers = groupLayer.extend({
  get layers(): z.ZodArray<z.ZodType> {
    return z.array(anyLayer).describe(GROUP_LAYERS);
  },
});

export const anyLayer = z.discriminatedUnion('type', [
  textLayer,
  imageLayer,
  qrcodeLayer,
  barcodeLayer,
  shapeLayer,
  chartLayer,
  tableLayer,
  iconLayer,
  groupWithLayers,
]);

/** The layers' schemas by name. The parser checks layers one by one, so the request's own schema only says "objects". */
export const LAYER_COMPONENTS = {
  Layer: anyLayer,
  TextLayer: textLayer,
  ImageLayer: imageLayer,
  QrcodeLayer: qrcodeLayer,
  BarcodeLayer: barcodeLayer,
  ShapeLayer: shapeLayer,
  ChartLayer: chartLayer,
  TableLayer: tableLayer,
  IconLayer: iconLayer,
  GroupLayer: groupWithLayers,
};

const layers = z.array(anyLayer).describe('drawn in order: the first lies at the bottom');
export const canvasRequestWithLayers = canvasRequest.extend({ layers });
export const documentCanvasRequestWithLayers = documentCanvasRequest.extend({ layers });

interface JsonSchemaOptions {
  readonly target?: 'draft-2020-12' | 'draft-07';
  /** Whether fields that a schema does not name are errors. */
  readonly isClosed?: boolean;
}

/** The input side of `named` as JSON Schemas that refer to each other by `uri(name)`. */
export function namedJsonSchemas(
  named: Readonly<Record<string, z.ZodType>>,
  uri: (name: string) => string,
  { target = 'draft-2020-12', isClosed = false }: JsonSchemaOptions = {},
): Record<string, Json> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    target,
    unrepresentable: 'any',
    uri,
    // zod writes the bounds of safe integers into every schema of a whole number that has no other bounds
    override({ jsonSchema }) {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (isClosed && jsonSchema.properties) jsonSchema.additionalProperties = false;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _id, ...schema }]) => [id, schema as Json]),
  );
}

/** Fields that payloads may have beside those of the contract. */
const ignored = {
  $schema: text().optional().describe('path or URL of this schema, for editors'),
  id: text().optional().describe('your own identifier, without effect'),
  workspaceId: text().optional().describe('without effect'),
};
const label = { name: text().optional().describe('a label, without effect') };

const templateLayers = {
  get layers(): z.ZodArray<z.ZodType> {
    return z.array(templateLayer).describe(GROUP_LAYERS);
  },
};
const templateGroup = groupLayer.extend(templateLayers);
const HOTSPOT_SCHEMAS = hotspotSchemas();
const IN_PLACE_SCHEMAS = inPlaceSchemas();
const groupHotspot = HOTSPOT_SCHEMAS.group.extend(templateLayers);
const inPlaceGroup = IN_PLACE_SCHEMAS.group.extend(templateLayers);

const hotspot = z.discriminatedUnion('type', [
  HOTSPOT_SCHEMAS.text,
  HOTSPOT_SCHEMAS.image,
  HOTSPOT_SCHEMAS.qrcode,
  HOTSPOT_SCHEMAS.barcode,
  HOTSPOT_SCHEMAS.shape,
  HOTSPOT_SCHEMAS.icon,
  groupHotspot,
]);
const inPlaceHotspot = z.discriminatedUnion('type', [
  IN_PLACE_SCHEMAS.text,
  IN_PLACE_SCHEMAS.image,
  IN_PLACE_SCHEMAS.qrcode,
  IN_PLACE_SCHEMAS.barcode,
  IN_PLACE_SCHEMAS.shape,
  IN_PLACE_SCHEMAS.icon,
  inPlaceGroup,
]);
const templateLayer = z.union([anyLayer, templateGroup, inPlaceHotspot]);

/** The fields that a size may override, of any layer. */
function overridesOf({ shape }: { readonly shape: Readonly<Record<string, z.core.SomeType>> }) {
  const fields = Object.entries(shape).filter(([field]) => !FIXED_FIELDS.includes(field));
  return z.object(Object.fromEntries(fields)).partial();
}

const sizeOverrides = z
  .union(Object.values(HOTSPOT_SCHEMAS).map((schema) => overridesOf(schema)))
  .describe('fields in place of those of the layer');
const sizeWithLayers = templateSize.extend({
  layers: z.record(z.string(), sizeOverrides).optional().describe('by key or id of a layer'),
});

const templateWithLayers = templateRecord.extend({
  sizes: z
    .record(z.string(), sizeWithLayers)
    .optional()
    .describe('other canvases of the design by name; a render picks one with size'),
  samples: templateSamples.optional(),
  layers: z
    .array(templateLayer)
    .optional()
    .describe('drawn over the background, below hotspots; a layer with a key is a hotspot in its place'),
  hotspots: z.array(hotspot).optional().describe('drawn in order, over the layers; no two hotspots have the same key'),
});

const HOTSPOT_COMPONENTS = {
  Hotspot: hotspot,
  TextHotspot: HOTSPOT_SCHEMAS.text,
  ImageHotspot: HOTSPOT_SCHEMAS.image,
  QrcodeHotspot: HOTSPOT_SCHEMAS.qrcode,
  BarcodeHotspot: HOTSPOT_SCHEMAS.barcode,
  ShapeHotspot: HOTSPOT_SCHEMAS.shape,
  IconHotspot: HOTSPOT_SCHEMAS.icon,
  GroupHotspot: groupHotspot,
  InPlaceHotspot: inPlaceHotspot,
  InPlaceGroup: inPlaceGroup,
  TemplateGroup: templateGroup,
  TemplateLayer: templateLayer,
  TemplateSize: sizeWithLayers,
  TemplateSample: templateSample,
};

/** A template's record and its hotspots by name. */
export const TEMPLATE_COMPONENTS: Readonly<Record<string, z.ZodType>> = {
  TemplateRecord: templateWithLayers,
  ...HOTSPOT_COMPONENTS,
};

/** Unknown fields, which a render ignores with a warning, are errors here, so that editors mark misspelled names. */
export function payloadJsonSchema(): Json {
  const root = { title: 'Platen payload', description: 'An image to render: a canvas with layers, or a template.' };
  const named = {
    Canvas: canvasRequestWithLayers.extend({ ...label, ...ignored }),
    Template: templateWithLayers.extend(ignored),
    TemplateRequest: templateRequest.extend({ ...label, ...ignored }),
    ...LAYER_COMPONENTS,
    ...HOTSPOT_COMPONENTS,
  };
  const reference = (name: string) => `#/definitions/${name}`;
  const to = (name: string) => ({ $ref: reference(name) });
  const definitions = namedJsonSchemas(named, reference, { target: 'draft-07', isClosed: true });
  return {
    // editors support this draft best
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...root,
    type: 'object',
    ...choose(when('templateId'), to('TemplateRequest'), choose(IS_TEMPLATE, to('Template'), to('Canvas'))),
    definitions: {
      ...hotspotDefinitions(),
      ...editorDefinitions(
        {
          ...withoutHotspots(definitions),
          Layer: byType({
            ...layerNames('Layer'),
            component: 'ComponentLayer',
            chart: 'ChartLayer',
            table: 'TableLayer',
          }),
          Hotspot: byType(layerNames('Hotspot')),
          ...inPlace(definitions.InPlaceHotspot),
          TemplateLayer: {
            type: 'object',
            ...choose(
              when('key'),
              to('InPlaceHotspot'),
              choose(when('type', 'group'), to('TemplateGroup'), to('Layer')),
            ),
          },
          TemplateSize: withMergedOverrides(definitions.TemplateSize),
        },
        (name) => /(?:Layer|Hotspot|InPlace|Group)$/.test(name),
      ),
    },
  };
}

/** Does what isTemplate in template/record-layers.ts does. */
const IS_TEMPLATE: Json = {
  type: 'object',
  ...choose(when('hotspots'), true, {
    type: 'object',
    properties: { name: {}, width: {}, height: {}, canvas: false },
    required: ['name', 'width', 'height'],
  }),
};

/** Definitions of layers by their `type`. */
const layerNames = (suffix: string) =>
  Object.fromEntries(
    Object.keys(HOTSPOT_SCHEMAS).map((type) => [type, `${asciiUppercase(type.slice(0, 1))}${type.slice(1)}${suffix}`]),
  );

/** The definitions of hotspots in place by their `type`. */
const inPlaceNames = () => ({ ...layerNames('InPlace'), group: 'InPlaceGroup' }) as Record<string, string>;

/** A hotspot is one in place that has a label: written like this, the definitions of the fields are there once. */
function hotspotDefinitions(): Record<string, Json> {
  const names = Object.entries(inPlaceNames());
  const all = layerNames('Hotspot');
  return Object.fromEntries(
    names.map(([type, name]) => [all[type], { allOf: [{ $ref: `#/definitions/${name}` }, when('label')] }]),
  );
}

function withoutHotspots(definitions: Readonly<Record<string, Json>>): Record<string, Json> {
  const names = Object.values(layerNames('Hotspot'));
  return Object.fromEntries(Object.entries(definitions).filter(([name]) => !names.includes(name)));
}

/** Gives each kind of hotspot in place a separate definition. The group has one. */
function inPlace({ oneOf }: Json): Record<string, Json> {
  const names = inPlaceNames();
  const kinds = oneOf as Json[];
  const own = Object.values(names).flatMap((name, index) => (name === 'InPlaceGroup' ? [] : [[name, kinds[index]]]));
  return { InPlaceHotspot: byType(names), ...Object.fromEntries(own) };
}

/** The overrides of all types of layers in one object: a size does not say which type a layer has. */
function withMergedOverrides(size: Json): Json {
  const fields = new Map<string, Json[]>();
  const { layers } = size.properties as { layers: { additionalProperties: { anyOf: { properties: Json }[] } } };
  for (const { properties } of layers.additionalProperties.anyOf) {
    for (const [field, schema] of Object.entries(properties)) {
      const known = fields.get(field) ?? [];
      const isNew = known.every((each) => JSON.stringify(each) !== JSON.stringify(schema));
      fields.set(field, isNew ? [...known, schema as Json] : known);
    }
  }
  const merged = [...fields].map(([field, schemas]) => [field, schemas.length === 1 ? schemas[0] : { anyOf: schemas }]);
  const overrides = {
    description: 'fields in place of those of the layer',
    type: 'object',
    properties: Object.fromEntries(merged),
    additionalProperties: false,
  };
  const properties = { ...(size.properties as Json), layers: { ...layers, additionalProperties: overrides } };
  return { ...size, properties };
}

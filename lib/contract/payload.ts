// The types of what callers write, inferred from the input side of the schemas: defaults are optional, colours are text.
import type * as z from 'zod';
import type { canvasRequest, documentPagesRequest, templateRequest } from './api/request.js';
import type { chartLayer } from './layers/expanded/chart.js';
import type { tableLayer } from './layers/expanded/table.js';
import type {
  barcodeLayer,
  groupLayer,
  iconLayer,
  imageLayer,
  qrcodeLayer,
  shapeLayer,
  textLayer,
} from './layers/index.js';
import type { hotspotSchemas, inPlaceSchemas, templateRecord, templateSample, templateSize } from './template/parse.js';

/** Makes an object type and the objects and arrays in it readonly, so that `as const` values fit. */
type DeepReadonly<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : { readonly [Key in keyof T]: DeepReadonly<T[Key]> };
type HotspotSchemas = ReturnType<typeof hotspotSchemas>;
type InPlaceSchemas = ReturnType<typeof inPlaceSchemas>;
type Input<Schema extends z.ZodType> = DeepReadonly<z.input<Schema>>;

export type TextLayer = Input<typeof textLayer>;
export type ImageLayer = Input<typeof imageLayer>;
export type QrcodeLayer = Input<typeof qrcodeLayer>;
export type BarcodeLayer = Input<typeof barcodeLayer>;
export type ShapeLayer = Input<typeof shapeLayer>;
/** A chart of data, which becomes a group of paths and texts. */
export type ChartLayer = Input<typeof chartLayer>;
/** A table of rows, which becomes a grid of texts and shapes. */
export type TableLayer = Input<typeof tableLayer>;
/** An icon of a set, drawn as shapes. */
export type IconLayer = Input<typeof iconLayer>;
/** Layers that are placed, and drawn with the group's effects, as one. */
export type GroupLayer = Omit<Input<typeof groupLayer>, 'layers'> & { readonly layers: readonly Layer[] };
/** A layer; `type` tells which kind. */
export type Layer =
  | TextLayer
  | ImageLayer
  | QrcodeLayer
  | BarcodeLayer
  | ShapeLayer
  | IconLayer
  | ChartLayer
  | TableLayer
  | GroupLayer;

export type TextHotspot = Input<HotspotSchemas['text']>;
export type ImageHotspot = Input<HotspotSchemas['image']>;
export type QrcodeHotspot = Input<HotspotSchemas['qrcode']>;
export type BarcodeHotspot = Input<HotspotSchemas['barcode']>;
export type ShapeHotspot = Input<HotspotSchemas['shape']>;
export type IconHotspot = Input<HotspotSchemas['icon']>;
export interface GroupHotspot extends Omit<Input<HotspotSchemas['group']>, 'layers'> {
  readonly layers: readonly TemplateLayer[];
}
/** A layer of a template that a variable fills, found by its `key` or its `label`. */
export type Hotspot =
  | TextHotspot
  | ImageHotspot
  | QrcodeHotspot
  | BarcodeHotspot
  | ShapeHotspot
  | IconHotspot
  | GroupHotspot;
/** A layer with a `key` among a template's layers: a hotspot in its place. Its `label` is its key by default. */
export type InPlaceHotspot = Input<InPlaceSchemas[Exclude<keyof InPlaceSchemas, 'group'>]> | InPlaceGroup;
interface InPlaceGroup extends Omit<Input<InPlaceSchemas['group']>, 'layers'> {
  readonly layers: readonly TemplateLayer[];
}
/** A layer of a template. The layers in a group may be hotspots too. */
export type TemplateLayer = Exclude<Layer, GroupLayer> | TemplateGroup | InPlaceHotspot;
interface TemplateGroup extends Omit<GroupLayer, 'layers'> {
  readonly layers: readonly TemplateLayer[];
}

/** Fields that are accepted and have no effect on the image. */
interface Ignored {
  /** The path of schema.json, for editors. */
  readonly $schema?: string;
  readonly id?: string;
  readonly workspaceId?: string;
}

/** A canvas with the layers on it, drawn in order: the first is at the bottom. */
export interface CanvasPayload extends Omit<Input<typeof canvasRequest>, 'layers'>, Ignored {
  readonly layers: readonly Layer[];
  readonly name?: string;
}

/** A template: a canvas whose hotspots are filled by variables. */
export interface Template
  extends Omit<Input<typeof templateRecord>, 'layers' | 'hotspots' | 'sizes' | 'samples'>,
    Ignored {
  /** Drawn over the background and below `hotspots`. A layer with a `key` is a hotspot too. */
  readonly layers?: readonly TemplateLayer[];
  /** Drawn in order, over the layers. No two hotspots, those in `layers` included, have the same `key`. */
  readonly hotspots?: readonly Hotspot[];
  /** Other canvases of the design by name. */
  readonly sizes?: Readonly<Record<string, TemplateSize>>;
  /** Sets of variables to look at the template with. Renders ignore them. */
  readonly samples?: readonly TemplateSample[];
}

/** A set of variables to look at a template with. */
export interface TemplateSample extends Omit<Input<typeof templateSample>, 'variables'> {
  readonly variables: Variables;
}

/** Another canvas of a template. */
export interface TemplateSize extends Omit<Input<typeof templateSize>, 'layers'> {
  /** Overrides by key or id of a layer: each field replaces the layer's as a whole. */
  readonly layers?: Readonly<Record<string, SizeOverrides>>;
}

/** Fields of a layer that a size replaces; null restores the default. */
export type SizeOverrides = Partial<{
  readonly [Field in Exclude<FieldOf<Hotspot>, 'type' | 'key' | 'label' | 'id' | 'layers'>]: ValueOf<
    Hotspot,
    Field
  > | null;
}>;
type FieldOf<Kinds> = Kinds extends unknown ? keyof Kinds : never;
type ValueOf<Kinds, Field extends PropertyKey> = Kinds extends { readonly [Key in Field]?: infer Value }
  ? Value
  : never;

/** The input of a render: a canvas with layers, or a template, which the variables of the options fill. */
export type Payload = CanvasPayload | Template;

type Overrides<Fields> = Fields extends unknown ? Partial<Omit<Fields, 'type' | 'key' | 'label'>> : never;
/** Fields of the hotspot's layer that one variable replaces. */
export type LayerOverrides = Overrides<Hotspot>;
/** The text, URL or data of a hotspot; an object overrides fields of its layer; `null` hides it. */
export type VariableValue = string | number | boolean | null | undefined | LayerOverrides;
/** Values by the key or the label of the hotspot that they fill. An absent value leaves the default. */
export type Variables = Readonly<Record<string, VariableValue>>;

/** What a document of several pages has beside them. */
export interface DocumentInput extends Pick<Input<typeof documentPagesRequest>, 'document' | 'quality' | 'lossless'> {}

/** A saved template with variables, as `POST /v1/render` takes it. */
export interface TemplateRequest extends Omit<Input<typeof templateRequest>, 'variables'>, Ignored {
  readonly variables?: Variables;
}

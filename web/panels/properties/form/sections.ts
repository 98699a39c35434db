// Groups and orders the fields of a layer. A field that no section names goes to the section More, so that every field of the
// schema has a place.
import type { Json } from '../../../document/json.js';
import type { FormField, FormName } from './controls.js';

/** A field, or two side by side. A name such as `image.position` is a field of that type alone. */
type Row = string | readonly [string, string];

interface SectionSpec {
  readonly title: string;
  readonly rows: readonly Row[];
  /** Fields that few layers have: shown when they have a value, or on request. */
  readonly rare?: readonly string[];
}

const SECTIONS: readonly SectionSpec[] = [
  { title: 'Variable', rows: ['key', 'label'] },
  {
    title: 'Position',
    rows: [
      ['x', 'y'],
      ['width', 'height'],
      ['rotation', 'opacity'],
    ],
    rare: ['flip', 'transform', 'transformOrigin', 'visible', 'repeatOnPages'],
  },
  {
    title: 'Layout',
    rows: [
      'group.layout',
      'group.gridTemplateColumns',
      'group.gridTemplateRows',
      'group.justifyContent',
      'group.justifyItems',
      'group.alignContent',
      'group.alignItems',
      'group.gap',
      'group.padding',
      'group.wrapItems',
      'group.paginate',
      'group.clip',
    ],
    rare: ['group.gridAutoFlow', 'group.gridAutoColumns', 'group.gridAutoRows'],
  },
  {
    title: 'In its layout',
    rows: [['grow', 'shrink'], ['gridColumn', 'gridRow'], 'justifySelf', 'alignSelf', 'margin', 'position'],
    rare: ['inset', 'order', 'minWidth', 'maxWidth', 'minHeight', 'maxHeight', 'aspectRatio', 'keepTogether'],
  },
  {
    title: 'Text',
    rows: [
      'text.text',
      'text.fontFamily',
      'text.fontWeight',
      'text.fontStyle',
      ['text.fontSize', 'lineHeight'],
      'text.color',
      'textAlign',
      'verticalAlign',
      'letterSpacing',
      'textTransform',
      'textDecoration',
      'autoFit',
      ['minFontSize', 'maxFontSize'],
    ],
    rare: [
      'spans',
      'markup',
      'markupStyles',
      'maxLines',
      'textOverflow',
      'wrap',
      'textWrap',
      'wordBreak',
      'hyphens',
      'language',
      'direction',
      'hangingIndent',
      'textPath',
      'customFontUrl',
      'fontFeatures',
      'fontVariations',
    ],
  },
  {
    title: 'Table',
    rows: ['columns', 'rows', 'table.header', 'body', 'stripe', 'rules', 'cellPadding', 'footer'],
    rare: ['maxRows', 'more', 'table.direction'],
  },
  {
    title: 'Image',
    rows: ['image.url', 'fit', 'image.position', 'mask', 'image.borderRadius'],
    rare: ['crop', 'repeat', 'tileWidth', 'tileHeight', 'fallbackColor'],
  },
  {
    title: 'Shape',
    rows: [
      'shapeType',
      'shape.borderRadius',
      'points',
      'innerRadius',
      ['startAngle', 'endAngle'],
      'd',
      'viewBox',
      'preserveAspectRatio',
      'fillRule',
      ['startCap', 'endCap'],
    ],
  },
  {
    title: 'Code',
    rows: [
      'symbology',
      'data',
      'colorDark',
      'colorLight',
      'errorCorrectionLevel',
      'moduleShape',
      'eyeShape',
      'eyeColor',
      'qrcode.margin',
      'barcode.margin',
      'showText',
      'barcode.fontFamily',
      'barcode.fontSize',
      'logo',
    ],
    rare: ['qrcode.borderRadius', 'verify'],
  },
  {
    title: 'Fill',
    rows: ['fillColor', 'backgroundColor', 'backgroundFit', 'borderRadius', 'text.padding'],
    rare: ['backgroundSize', 'backgroundPosition', 'backgroundRepeat', 'backgroundOrigin', 'backgroundClip'],
  },
  {
    title: 'Stroke',
    rows: ['border', 'stroke'],
    rare: ['borderTop', 'borderRight', 'borderBottom', 'borderLeft'],
  },
  { title: 'Effects', rows: ['shadow', 'blendMode', 'filter', 'backdropFilter', 'maskImage', 'clipPath'] },
  { title: 'Data', rows: ['each'], rare: ['when', 'switch', 'style'] },
  { title: 'Document', rows: ['alt', 'href', 'bookmark', 'role'] },
  { title: 'Advanced', rows: ['id', 'name'] },
];

export interface Section {
  readonly title: string;
  readonly rows: readonly (readonly FormField[])[];
  readonly rare: readonly FormField[];
}

/** Returns the sections of a layer's form. */
export function sectionsOf(form: FormName, fields: readonly FormField[]): readonly Section[] {
  const left = new Map(fields.map((field) => [field.name, field]));
  const qualified = new Set(
    SECTIONS.flatMap(({ rows, rare = [] }) => [...rows.flat(), ...rare]).filter((name) => name.startsWith(`${form}.`)),
  );
  /** Takes the field that a name of the table means in this form. A name for this form takes precedence over a common one. */
  const take = (name: string): FormField[] => {
    const [first = '', second] = name.split('.');
    if (second === undefined ? qualified.has(`${form}.${first}`) : first !== form) return [];
    const field = left.get(second ?? first);
    left.delete(second ?? first);
    return field ? [field] : [];
  };
  const sections = SECTIONS.map(({ title, rows, rare = [] }): Section => {
    const taken = rows.map((row) => [row].flat().flatMap(take)).filter((row) => row.length > 0);
    return { title, rows: taken, rare: rare.flatMap(take) };
  });
  const more = [...left.values()].map((field) => [field]);
  return [...sections, { title: 'More', rows: more, rare: [] }].filter(
    ({ rows, rare }) => rows.length + rare.length > 0,
  );
}

/** The state that decides which fields have an effect. */
export interface Circumstances {
  readonly raw: Json;
  /** Whether the layer is in a group with a layout. */
  readonly isLaidOut: boolean;
  /** Whether that is a grid. */
  readonly isInGrid?: boolean;
}

type Condition = (circumstances: Circumstances) => boolean;

const isShape =
  (...types: readonly string[]): Condition =>
  ({ raw }) =>
    types.includes(String(raw.shapeType));
const isGrid: Condition = ({ raw }) => raw.layout === 'grid';
const isFlexbox: Condition = ({ raw }) => raw.layout === 'row' || raw.layout === 'column';
const hasLayout: Condition = (layer) => isFlexbox(layer) || isGrid(layer);
const isLaidOut: Condition = (layer) => layer.isLaidOut;
const isInGrid: Condition = (layer) => layer.isInGrid === true;
const isInFlexbox: Condition = (layer) => layer.isLaidOut && !isInGrid(layer);
const isPath = isShape('path');

/** Conditions of fields that have an effect only with another field. */
const CONDITIONS: Readonly<Record<string, Condition>> = {
  points: isShape('polygon', 'star'),
  innerRadius: isShape('star', 'arc'),
  startAngle: isShape('arc'),
  endAngle: isShape('arc'),
  d: isPath,
  viewBox: isPath,
  preserveAspectRatio: isPath,
  fillRule: isPath,
  startCap: isShape('line'),
  endCap: isShape('line'),
  borderRadius: ({ raw }) => {
    if (raw.type === 'image') return raw.mask === 'rounded';
    return raw.type !== 'shape' || raw.shapeType === 'rounded_rectangle';
  },
  minFontSize: ({ raw }) => raw.autoFit === true,
  maxFontSize: ({ raw }) => raw.autoFit === true,
  backgroundFit: ({ raw }) => raw.type !== 'text' || raw.backgroundColor !== undefined || raw.border !== undefined,
  justifyContent: hasLayout,
  alignItems: hasLayout,
  alignContent: (layer) => isGrid(layer) || (isFlexbox(layer) && layer.raw.wrapItems === true),
  gap: hasLayout,
  wrapItems: isFlexbox,
  gridTemplateColumns: isGrid,
  gridTemplateRows: isGrid,
  justifyItems: isGrid,
  paginate: ({ raw }) => raw.layout === 'column',
  padding: (layer) => layer.raw.type !== 'group' || hasLayout(layer),
  fontFamily: ({ raw }) => raw.type !== 'barcode' || raw.showText === true,
  fontSize: ({ raw }) => raw.type !== 'barcode' || raw.showText === true,
  text: ({ raw }) => raw.spans === undefined,
  spans: ({ raw }) => raw.spans !== undefined,
  grow: isInFlexbox,
  shrink: isInFlexbox,
  gridColumn: isInGrid,
  gridRow: isInGrid,
  justifySelf: isInGrid,
  alignSelf: isLaidOut,
  margin: (layer) => layer.isLaidOut || layer.raw.type === 'qrcode' || layer.raw.type === 'barcode',
  position: (layer) => layer.isLaidOut || layer.raw.type === 'image',
};

/** Whether a field is shown: it has a value, or it may have an effect. The others appear on request. */
export function isInView({ name }: FormField, isRare: boolean, circumstances: Circumstances): boolean {
  if (circumstances.raw[name] !== undefined) return true;
  const condition = Object.hasOwn(CONDITIONS, name) ? CONDITIONS[name] : undefined;
  return !isRare && (condition?.(circumstances) ?? true);
}

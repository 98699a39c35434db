// Expands what payloads have for lib/data. It is loaded when a payload needs it (data-room.ts).
import type { CanvasRequest } from '../../contract/api/request.js';
import { background as backgroundFill } from '../../contract/css/background.js';
import type { Canvas } from '../../contract/layers/canvas.js';
import { MAX_EXPANDED_LAYERS } from '../../contract/layers/limits.js';
import { attempt, invalidRequest, issue, joinPath, summary } from '../../contract/messages/issues.js';
import { choiceHint, expectedChoice } from '../../contract/messages/value-hints.js';
import { isObject } from '../../contract/schema/fields.js';
import { parseWith } from '../../contract/schema/normalize.js';
import { recordUsesData } from '../../contract/template/data-fields.js';
import { invalidTemplate, type Template } from '../../contract/template/parse.js';
import { listHotspots } from '../../contract/template/record-strings.js';
import {
  checkData,
  checkDefinitions,
  countWrittenLayers,
  Expansion,
  type OriginalLayer,
  Tokens,
  tokenIssues,
  VariableReader,
} from '../../data/index.js';
import { type Detail, RenderError, type Warning } from '../../errors.js';
import { PlaceholderExpansion, withPageNumbers } from '../placeholders.js';
import type { RawScene } from '../scene.js';
import type { Variable } from '../variables.js';
import { chartRoom } from './chart-room.js';
import { renderLocale } from './locale.js';

export { EXPANDED_KINDS } from '../../contract/layers/expanded/kinds.js';
export { missingLocale, takeLocaleFile } from './locale.js';

type Json = Readonly<Record<string, unknown>>;
type Variables = ConstructorParameters<typeof Expansion>[0]['variables'];

/** A request's tokens, theme and locale, which win over the payload's own, and a bound. */
export interface DesignOptions {
  /** Default 5,000. */
  readonly maxExpandedLayers?: number | undefined;
  readonly tokens?: unknown;
  readonly theme?: string | undefined;
  readonly locale?: string | undefined;
  readonly brand?: Brand | undefined;
}

/** The tokens of a workspace, below those of its payloads and templates. They are well-formed. */
export interface Brand {
  readonly tokens?: unknown;
  readonly themes?: unknown;
}

type RawLayers = Pick<RawScene, 'layers' | 'origins' | 'warnings'>;

/** Layers that lib/data has expanded. */
export interface ExpandedScene extends RawLayers {
  /** The color behind the layers as it is written; undefined for none. */
  readonly color: unknown;
  /** What the picture shows; undefined where nothing says so. */
  readonly alt: string | undefined;
}

/** Throws RenderError `render_failed` if there are faults. */
function failOn(faults: readonly Detail[]): void {
  if (faults.length === 0) return;
  throw new RenderError('render_failed', summary(faults, 1), { details: faults });
}

/** The tokens of a render. Throws RenderError `invalid_request` for tokens that are malformed, and for an unknown theme. */
function tokensOf({ tokens, themes }: Json, { tokens: own, theme, brand }: DesignOptions) {
  const details = tokenIssues(own, 'tokens');
  const names = themeNames(themes, brand);
  if (theme !== undefined && !names.includes(theme)) details.push(themeIssue(theme, names));
  if (details.length > 0) throw invalidRequest(details);
  const themed = [brand?.themes, themes].map((known) =>
    theme !== undefined && isObject(known) && Object.hasOwn(known, theme) ? known[theme] : undefined,
  );
  return new Tokens([brand?.tokens, tokens, ...themed, own]);
}

/** The names of the themes of a payload and of the brand. */
export function themeNames(themes: unknown, brand: Brand | undefined): string[] {
  const all = [themes, brand?.themes].flatMap((known) => (isObject(known) ? Object.keys(known) : []));
  return [...new Set(all)];
}

/** The error of a theme that a payload or a template has not got. */
export function themeIssue(theme: string, names: readonly string[]): Detail {
  const expected = names.length === 0 ? 'none: there are no themes' : expectedChoice(names);
  return issue('theme', theme, expected, choiceHint(theme, names));
}

/** Expands the layers of a request with a canvas. `variables`: values in place of those of `data`. */
export function expandCanvas(
  request: CanvasRequest,
  options: DesignOptions & {
    readonly maxLayers: number;
    readonly variables?: unknown;
    readonly numbersPages?: boolean | undefined;
  },
): ExpandedScene {
  const { layers, components, themes, tokens, theme } = request;
  const details = checkDefinitions({ components, themes, tokens });
  if (countWrittenLayers({ layers, components }, options.maxLayers) > options.maxLayers) {
    const message = `expected at most ${options.maxLayers} layers, those of components and else included`;
    details.push({ code: 'limit_exceeded', path: 'layers', message });
  }
  if (details.length > 0) throw invalidRequest(details);
  const isTemplate = request.data !== undefined;
  const variables: Json = { ...request.data, ...(isTemplate && isObject(options.variables) && options.variables) };
  const variableNamed = (name: string) =>
    Object.hasOwn(variables, name) ? { name, value: variables[name], path: joinPath('data', name) } : undefined;
  const placeholders = new PlaceholderExpansion(options.numbersPages ? withPageNumbers(variableNamed) : variableNamed);
  const locale = renderLocale(options.locale ?? request.locale);
  const expansion = new Expansion({
    isTemplate,
    components,
    variables: variables as Variables,
    locale: locale.tag,
    formatter: locale.formatter,
    maxLayers: options.maxExpandedLayers ?? MAX_EXPANDED_LAYERS,
    tokens: tokensOf({ tokens, themes }, { ...options, theme: options.theme ?? theme }),
    fill: placeholders.fill.bind(placeholders),
    charts: chartRoom,
  });
  const { background } = request;
  const color =
    background === undefined
      ? undefined
      : expansion.expandFields({ backgroundColor: background }, 'canvas').backgroundColor;
  const alt = altOf(expansion, request.alt);
  const expanded = expansion.expand(
    layers.map((layer, i) => ({ layer, origin: { path: `layers[${i}]` } })),
    color === undefined ? request.canvas.backgroundColor : fillOf(color),
  );
  failOn([...expansion.faults, ...placeholders.faults]);
  return {
    layers: expanded.map(({ layer }) => layer),
    origins: expanded.map(({ origin }) => origin),
    warnings: [...locale.warnings(), ...expansion.warnings, ...placeholders.warnings],
    color,
    alt,
  };
}

/** What is known of a template with data before it is filled. */
export interface PreparedData {
  readonly names: ReadonlySet<string>;
  /** Throws RenderError `render_failed` for variables that are wrong or missing. */
  readVariables(variables: Json): { readonly variables: Json; readonly warnings: readonly Warning[] };
  expand(
    layers: readonly OriginalLayer[],
    variables: Json,
    variableNamed: (name: string) => Variable | undefined,
  ): ExpandedScene;
}

/** Checks a template's data. Throws RenderError `invalid_request` with every fault. */
export function prepareData(
  { placeholders: isTemplate }: Pick<Template, 'placeholders'>,
  record: Json,
  options: DesignOptions & { readonly maxLayers: number },
): PreparedData {
  const { details, names } = checkData(record, { isTemplate });
  const { maxLayers } = options;
  const all = [...details];
  if (countWrittenLayers(record, maxLayers) > maxLayers) {
    const message = `expected at most ${maxLayers} layers and hotspots together, those of components and else included`;
    all.push({ code: 'limit_exceeded', path: 'layers', message });
  }
  if (all.length > 0) throw invalidTemplate(all);
  const tokens = () => tokensOf(record, options);
  // an unknown theme is a fault of the request, whatever variables it has
  tokens();
  const declared = isObject(record.variables) ? record.variables : {};
  const known = new Set([...names, ...Object.keys(declared)]);
  return {
    names: known,
    readVariables(values) {
      const reader = new VariableReader();
      const variables = reader.readAll(values, declared, 'variables');
      failOn(reader.faults);
      return { variables, warnings: reader.warnings };
    },
    expand(layers, variables, variableNamed) {
      const placeholders = new PlaceholderExpansion(variableNamed);
      const locale = renderLocale(options.locale ?? (record.locale as string | undefined));
      const expansion = new Expansion({
        isTemplate,
        components: record.components,
        variables: variables as Variables,
        locale: locale.tag,
        formatter: locale.formatter,
        maxLayers: options.maxExpandedLayers ?? MAX_EXPANDED_LAYERS,
        tokens: tokens(),
        fill: placeholders.fill.bind(placeholders),
        charts: chartRoom,
      });
      const { color } = isObject(record.background)
        ? expansion.expandFields({ color: record.background.color ?? undefined }, 'background')
        : {};
      const alt = altOf(expansion, record.alt);
      const expanded = expansion.expand(layers, fillOf(color));
      failOn([...expansion.faults, ...placeholders.faults]);
      return {
        layers: expanded.map(({ layer }) => layer),
        origins: expanded.map(({ origin }) => origin),
        warnings: [...locale.warnings(), ...expansion.warnings, ...placeholders.warnings],
        color,
        alt,
      };
    },
  };
}

/** The expanded alternative text of a payload; undefined for none. Whoever uses it checks its length. */
function altOf(expansion: Expansion, alt: unknown): string | undefined {
  if (typeof alt !== 'string') return undefined;
  return expansion.expandFields({ alt }, '').alt as string | undefined;
}

/** The fill that an expanded color is; undefined if it is none. */
function fillOf(color: unknown): Canvas['backgroundColor'] | undefined {
  return color === undefined
    ? undefined
    : (backgroundFill.safeParse(color).data as Canvas['backgroundColor'] | undefined);
}

/** The fill behind the layers that the expanded color is. Throws RenderError `render_failed`. */
export function backgroundOf(color: unknown, path: string): Canvas['backgroundColor'] {
  const { data, details } = parseWith(backgroundFill, color, color, path);
  failOn(details);
  return data as Canvas['backgroundColor'];
}

/** Finds faults and doubtful names in the data of a template's record without other faults. */
export function findings(
  record: unknown,
  maxLayers: number,
): { errors: readonly Detail[]; warnings: readonly Warning[] } {
  if (!isObject(record) || !recordUsesData(record)) return { errors: [], warnings: [] };
  const { variables } = record;
  const hotspots = listHotspots(record).flatMap(({ key, label }) => [key, label]);
  const declared = isObject(variables) ? new Set([...Object.keys(variables), ...hotspots]) : undefined;
  const isTemplate = record.placeholders === true;
  const { warnings } = checkData(record, { isTemplate, declared });
  const { details } = attempt(() => prepareData({ placeholders: isTemplate }, record, { maxLayers }));
  return { errors: details, warnings };
}

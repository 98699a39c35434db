// Classes of Tailwind as declarations. UnoCSS, an optional package, knows them; it loads when a class is first used.
import { parseStyleText, type StyleObject } from './css/style.js';
import { substitute } from './css/variables.js';
import type { ElementNode, MarkupNode } from './element.js';
import { failure } from './element.js';
import type { MarkupReport } from './report.js';

/** A rule of UnoCSS: its place in the sheet, its selector, its declarations and its media query. */
type Rule = readonly [index: number, selector: string | undefined, body: string, media: string | undefined];

/** The part of UnoCSS that is used. */
interface Generator {
  parseToken(token: string): Promise<readonly Rule[] | null | undefined>;
  generate(text: string, options: { readonly preflights: boolean }): Promise<{ readonly css: string }>;
}

interface TailwindOptions {
  /** Whether `className` and `class` are classes of Tailwind, too. */
  readonly isOn: boolean;
  readonly canvas: { readonly width: number; readonly height: number };
  readonly report: MarkupReport;
}

const PACKAGES = ['@unocss/core', '@unocss/preset-wind3'] as const;

/** What Tailwind's own sheet says about all elements, as far as classes rely on it. */
const BASE: StyleObject = { borderWidth: 0, borderStyle: 'solid', borderColor: '#e5e7eb' };

/** The styles of elements with classes, or undefined where no element has any. */
export async function tailwindStyles(
  nodes: readonly MarkupNode[],
  { isOn, canvas, report }: TailwindOptions,
): Promise<((node: ElementNode) => StyleObject | undefined) | undefined> {
  const used = new Map<ElementNode, readonly string[]>();
  collectClasses(nodes, isOn, used);
  if (used.size === 0) return undefined;
  const { generator, variables } = await loadGenerator();
  const rules = new Map<string, readonly Rule[]>();
  for (const [node, classes] of used) {
    for (const name of classes) {
      if (rules.has(name)) continue;
      const found = (await generator.parseToken(name)) ?? [];
      rules.set(name, found);
      if (found.length === 0) report.warn({ node, index: 0 }, `${name} is no class of Tailwind`);
    }
  }
  return (node) => {
    const classes = used.get(node);
    if (!classes) return undefined;
    const own = classes.flatMap((name) => (rules.get(name) ?? []).filter((rule) => applies(rule, canvas)));
    return declarations(inOrder(own), variables);
  };
}

function collectClasses(nodes: readonly MarkupNode[], isOn: boolean, used: Map<ElementNode, readonly string[]>): void {
  for (const node of nodes) {
    if (node.kind === 'text') continue;
    const { tw, className, class: classes } = node.props;
    const lists = isOn ? [className, classes, tw] : [tw];
    const names = lists.flatMap((list) => (typeof list === 'string' ? list.split(/\s+/) : []));
    const known = names.filter((name) => name !== '');
    if (known.length > 0) used.set(node, known);
    collectClasses(node.children, isOn, used);
  }
}

let loading: Promise<{ generator: Generator; variables: ReadonlyMap<string, string> }> | undefined;

async function loadGenerator() {
  loading ??= load();
  try {
    return await loading;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

async function load() {
  const [core, preset] = await Promise.all(
    PACKAGES.map(async (name): Promise<Record<string, (options: object) => unknown>> => {
      try {
        return await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
      } catch (cause) {
        throw failure(`classes of Tailwind need the package ${name}: npm install ${PACKAGES.join(' ')}`, cause);
      }
    }),
  );
  const generator = (await core.createGenerator({ presets: [preset.presetWind3({})] })) as Generator;
  const { css } = await generator.generate('', { preflights: true });
  const [, defaults = ''] = /\{([^}]*)\}/.exec(css) ?? [];
  const variables = new Map(Object.entries(parseStyleText(defaults)).map(([name, value]) => [name, String(value)]));
  return { generator, variables };
}

/** Whether a rule is about the element itself, on a canvas of this width. */
function applies([, selector = '', , media]: Rule, { width }: TailwindOptions['canvas']): boolean {
  if (!/^\.(?:[\w-]|\\.|[^\x20-\x7e])+$/.test(selector)) return false;
  if (!media) return true;
  const least = /\(min-width:\s*([\d.]+)px\)/.exec(media);
  const most = /\(max-width:\s*([\d.]+)px\)/.exec(media);
  if (!least && !most) return false;
  return (!least || width >= Number(least[1])) && (!most || width <= Number(most[1]));
}

/** Rules in the order of the sheet: those with a media query after the others. */
function inOrder(rules: readonly Rule[]): Rule[] {
  return [...rules].sort(([one, , , onMedia], [other, , , otherMedia]) => {
    return Number(Boolean(onMedia)) - Number(Boolean(otherMedia)) || one - other;
  });
}

function declarations(rules: readonly Rule[], defaults: ReadonlyMap<string, string>): StyleObject {
  const variables = new Map(defaults);
  const own = new Map<string, unknown>(Object.entries(BASE));
  for (const [, , body] of rules) {
    for (const [name, value] of Object.entries(parseStyleText(body))) {
      if (name.startsWith('--')) variables.set(name, String(value));
      else {
        // the last one wins, whatever shorthands stand between
        own.delete(name);
        own.set(name, value);
      }
    }
  }
  return Object.fromEntries(
    Array.from(own, ([name, value]) => [name, plain(name, withValues(String(value), variables))]),
  );
}

/** Variables inside each other. */
const MAX_NESTING = 32;

/** The text with the values of its variables; one without a value and a fallback is nothing. */
function withValues(text: string, variables: ReadonlyMap<string, string>, depth = 0): string {
  if (depth > MAX_NESTING) return '';
  const lookUp = (name: string) => {
    const value = variables.get(name);
    return value === undefined ? undefined : withValues(value, variables, depth + 1);
  };
  return substitute(text.replace(/\bvar\(\s*(--[\w-]+)\s*\)/g, 'var($1,)'), lookUp) ?? '';
}

/** The value without what a flat picture has no use for. */
function plain(name: string, value: string): string {
  if (name === 'transform') {
    return value.replace(/\b(?:translateZ|rotateX|rotateY|rotateZ)\(0\)|\bscaleZ\(1\)/g, '').trim();
  }
  if (name === 'filter' || name === 'backdropFilter') return value.trim() || 'none';
  // Tailwind 3 mixes colours in sRGB, as CSS does without a word about it
  return value
    .replace(/ in oklch\b/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

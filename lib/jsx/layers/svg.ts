// Inline SVG as a picture: an element tree is written as a data URL, with `currentColor` resolved.
import type { ElementBox } from '../boxes.js';
import type { ElementNode, MarkupNode } from '../element.js';
import { cssName } from '../report.js';

/** Attributes of SVG that have capitals, or that React writes otherwise. */
const CAMEL = new Set(
  (
    'viewBox preserveAspectRatio gradientUnits gradientTransform patternUnits patternTransform patternContentUnits ' +
    'clipPathUnits maskUnits maskContentUnits markerWidth markerHeight markerUnits refX refY spreadMethod stdDeviation ' +
    'textLength lengthAdjust startOffset pathLength filterUnits primitiveUnits tableValues baseFrequency numOctaves ' +
    'surfaceScale specularExponent specularConstant diffuseConstant kernelMatrix edgeMode xChannelSelector ' +
    'yChannelSelector limitingConeAngle pointsAtX pointsAtY pointsAtZ'
  ).split(' '),
);

const OTHER_NAMES: Readonly<Record<string, string>> = {
  className: 'class',
  xlinkHref: 'xlink:href',
  xmlSpace: 'xml:space',
};

/** Writes an `svg` element in the size of its box, where that is known. */
export function svgUrl(
  { node, style }: ElementBox,
  size: { width?: number | undefined; height?: number | undefined },
): string {
  const { width = node.props.width, height = node.props.height, ...props } = { ...node.props, ...size };
  const root = { ...node, props: { xmlns: 'http://www.w3.org/2000/svg', width, height, ...props } };
  const text = serialize(root, style.get('color'), true);
  return `data:image/svg+xml,${encodeURIComponent(text)}`;
}

function serialize(node: MarkupNode, color: string, isRoot = false): string {
  if (node.kind === 'text') return escapeText(node.text);
  const { tag, props, children } = node;
  if (tag === 'script' || tag === 'foreignObject') return '';
  const own = ownColor(props, color);
  const attributes = Object.entries(props).flatMap(([name, value]) => attribute(name, value, own, isRoot));
  const inner = children.map((child) => serialize(child, own)).join('');
  return `<${tag}${attributes.map((text) => ` ${text}`).join('')}${inner === '' ? '/>' : `>${inner}</${tag}>`}`;
}

/** The colour that `currentColor` means in an element. */
function ownColor({ color, style }: ElementNode['props'], inherited: string): string {
  const styled = typeof style === 'object' && style !== null && 'color' in style ? style.color : color;
  return typeof styled === 'string' && styled.toLowerCase() !== 'currentcolor' ? styled : inherited;
}

function attribute(name: string, value: unknown, color: string, isRoot: boolean): string[] {
  if (name === 'children' || name === 'key' || name === 'ref' || /^on/i.test(name)) return [];
  if (value === null || value === undefined || typeof value === 'function' || typeof value === 'boolean') return [];
  if (name === 'style') return styleAttribute(value, color, isRoot);
  if (isRoot && (name === 'className' || name === 'class' || name === 'tw')) return [];
  const written = OTHER_NAMES[name] ?? (CAMEL.has(name) || name.includes(':') ? name : cssName(name));
  return [`${written}="${escapeText(resolved(String(value), color))}"`];
}

/** The style of the root is that of its box. */
function styleAttribute(style: unknown, color: string, isRoot: boolean): string[] {
  if (typeof style !== 'object' || style === null)
    return typeof style === 'string' ? [`style="${escapeText(style)}"`] : [];
  const entries = Object.entries(style).filter(([name]) => !isRoot || /^(?:fill|stroke|color)/.test(name));
  if (entries.length === 0) return [];
  const text = entries.map(([name, value]) => `${cssName(name)}:${resolved(String(value), color)}`).join(';');
  return [`style="${escapeText(text)}"`];
}

function resolved(value: string, color: string): string {
  return value.replace(/\bcurrentcolor\b/gi, color);
}

function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

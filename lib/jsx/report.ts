// Warnings about markup, each with its place: `div.card > p:nth-child(2): float is not supported`.
import { RenderError, type Warning } from '../errors.js';
import type { ElementNode } from './element.js';

/** The place of an element. */
export interface Place {
  readonly node: ElementNode;
  /** Its number among the elements of its parent, from 1; 0 where it is the only one. */
  readonly index: number;
  readonly parent?: Place | undefined;
}

/** Elements of a place that messages name, from the innermost. */
const NAMED_LEVELS = 4;

/** Names a place as a selector. */
export function placeName(place: Place): string {
  const names: string[] = [];
  for (let at: Place | undefined = place; at && names.length < NAMED_LEVELS; at = at.parent) {
    // an author may leave these out
    if (names.length > 0 && ['html', 'head', 'body'].includes(at.node.tag)) break;
    names.unshift(stepName(at));
  }
  return names.join(' > ');
}

function stepName({ node, index }: Place): string {
  const { id, className, class: classes } = node.props;
  const list = typeof className === 'string' ? className : classes;
  const [first] = typeof list === 'string' ? list.trim().split(/\s+/) : [];
  const name = node.tag + (typeof id === 'string' && id !== '' ? `#${id}` : first ? `.${first}` : '');
  return index > 0 ? `${name}:nth-child(${index})` : name;
}

/** Texts of values are cut in messages. */
const MAX_VALUE = 60;

export class MarkupReport {
  readonly warnings: Warning[] = [];
  private readonly seen = new Set<string>();

  /** Whether the first warning is thrown as an error. */
  constructor(private readonly isStrict: boolean) {}

  /** Warns once about each message. */
  warn(place: Place, message: string): void {
    if (this.seen.has(message)) return;
    this.seen.add(message);
    const path = placeName(place);
    if (this.isStrict) throw new RenderError('render_failed', `${path}: ${message}`);
    this.warnings.push({ code: 'unsupported_markup', path, message });
  }

  /** A property that nothing can be made of. */
  unsupported(place: Place, property: string, value?: string): void {
    const shown = value === undefined ? '' : `: ${value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}…` : value}`;
    this.warn(place, `${cssName(property)}${shown} is not supported`);
  }
}

/** `backgroundColor` as `background-color`. */
export function cssName(property: string): string {
  if (property.startsWith('--')) return property;
  return property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

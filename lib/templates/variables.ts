// Matches variables to the hotspots that they fill, and warns about those that fill none.

import { closestMatch, didYouMean } from '../contract/messages/closest-match.js';
import { joinPath, mismatchOf } from '../contract/messages/issues.js';
import { isObject } from '../contract/schema/fields.js';
import { type Hotspot, MAIN_FIELDS, type Template } from '../contract/template/parse.js';
import type { Warning } from '../errors.js';

export interface Variable {
  /** Name as the caller wrote it: a hotspot's key, or its label. */
  readonly name: string;
  readonly value: unknown;
  /** Default `variables.NAME`. */
  readonly path?: string;
}

export interface Matched {
  readonly variableOf: (hotspot: Hotspot) => Variable | undefined;
  /** The variable that a placeholder with this name stands for. */
  readonly variableNamed: (name: string) => Variable | undefined;
  readonly warnings: readonly Warning[];
}

/** Unused variables that are named one by one: a request may bring a hundred thousand, and each is compared with every key. */
const MAX_NAMED = 10;

/**
 * Finds each hotspot's variable: by its key, else by its label. A name that is some hotspot's key means that one alone;
 * a label that several share fills them all. `undefined` counts as absent. `otherNames`: variables that expressions read.
 */
export function matchVariables(
  template: Template,
  variables: Readonly<Record<string, unknown>>,
  otherNames: ReadonlySet<string> = new Set(),
): Matched {
  const { hotspots, plainVariables } = template;
  const values = new Map(Object.entries(variables).filter(([, value]) => value !== undefined));
  const keys = new Set(hotspots.map(({ key }) => key));
  const nameFor = ({ key, label }: Hotspot): string | undefined => {
    if (values.has(key)) return key;
    return values.has(label) && !keys.has(label) ? label : undefined;
  };
  const used = new Set([...hotspots.map(nameFor), ...plainVariables, ...otherNames]);
  const named = new Map<string, Hotspot>();
  // a key means its own hotspot, a label the first that has it
  for (const hotspot of [...hotspots].reverse()) named.set(hotspot.label, hotspot);
  for (const hotspot of hotspots) named.set(hotspot.key, hotspot);
  const unused = [...values.keys()].filter((name) => !used.has(name));
  return {
    variableOf: (hotspot) => {
      const name = nameFor(hotspot);
      return name === undefined ? undefined : { name, value: values.get(name) };
    },
    variableNamed: (placeholder) => {
      const hotspot = named.get(placeholder);
      if (!hotspot) return values.has(placeholder) ? { name: placeholder, value: values.get(placeholder) } : undefined;
      const name = nameFor(hotspot);
      return name === undefined ? undefined : { name, value: mainValue(hotspot, values.get(name)) };
    },
    warnings: unusedWarnings(unused, template),
  };
}

/** Returns the main value that the variable gives the hotspot: an object may have it among other fields. */
function mainValue({ type }: Hotspot, value: unknown): unknown {
  const main = MAIN_FIELDS[type];
  return isObject(value) && main !== undefined ? value[main] : value;
}

/** The names of a template's variables: the keys and labels of its hotspots, and the names in placeholders. */
export function variableNames({
  hotspots,
  plainVariables,
}: Pick<Template, 'hotspots' | 'plainVariables'>): Set<string> {
  return new Set([...hotspots.flatMap(({ key, label }) => [key, label]), ...plainVariables]);
}

function unusedWarnings(unused: readonly string[], template: Template): Warning[] {
  const { hotspots } = template;
  const names = variableNames(template);
  const warnings = unused.slice(0, MAX_NAMED).map((name): Warning => {
    // A label is unused when its hotspots were all filled by their keys.
    const filled = hotspots.find(({ label }) => label === name);
    const meant = filled ? undefined : closestMatch(name, names);
    const message = filled
      ? `is ignored: ${joinPath('variables', filled.key)} is given too`
      : `is no variable of this template and is ignored${didYouMean(meant)}`;
    return { code: 'unused_variable', path: joinPath('variables', name), message, ...mismatchOf(undefined, meant) };
  });
  const others = unused.length - warnings.length;
  return others > 0
    ? [...warnings, { code: 'unused_variable', path: 'variables', message: `${others} more are unknown and ignored` }]
    : warnings;
}

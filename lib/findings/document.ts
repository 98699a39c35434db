// Findings about the document itself, which no layer shows: variables that it declares and does not use.
import { isObject } from '../contract/json/is-object.js';
import { joinPath } from '../contract/messages/issues.js';
import type { MeasuredFinding } from './rules.js';

type Json = Readonly<Record<string, unknown>>;

/** Fields whose strings use no variables. */
const SILENT = new Set(['samples', 'name', '$schema', 'description']);

/** The findings of a template's record; none of other documents. */
export function findInDocument(document: unknown): MeasuredFinding[] {
  if (!isObject(document) || !isObject(document.variables) || !hasLayers(document)) return [];
  const words = new Set<string>();
  for (const [field, value] of Object.entries(document)) {
    if (field !== 'variables' && !SILENT.has(field)) collectWords(value, words);
  }
  // by `vars`, an expression reaches variables whose names are not written
  if (words.has('vars')) return [];
  return Object.keys(document.variables).flatMap((name): MeasuredFinding[] => {
    const others = Object.entries(document.variables as Json).filter(([other]) => other !== name);
    const named = new Set(words);
    for (const [, declaration] of others) collectWords(declaration, named);
    if ([...wordsOf(name)].every((word) => named.has(word)) || named.has(name)) return [];
    return [
      {
        code: 'unused_variable',
        severity: 'info',
        path: joinPath('variables', name),
        message: 'is declared and used nowhere',
        value: 0,
        limit: 1,
        changes: [[{ op: 'remove', path: `/variables/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` }]],
      },
    ];
  });
}

function hasLayers({ layers, hotspots }: Json): boolean {
  return Array.isArray(layers) || Array.isArray(hotspots);
}

/** Collects the words of all strings: a variable may be named in any of them. */
function collectWords(value: unknown, words: Set<string>): void {
  if (typeof value === 'string') {
    if (value.startsWith('data:')) return;
    words.add(value);
    for (const word of wordsOf(value)) words.add(word);
  } else if (Array.isArray(value)) for (const each of value) collectWords(each, words);
  else if (isObject(value)) for (const each of Object.values(value)) collectWords(each, words);
}

function wordsOf(text: string): Iterable<string> {
  return text.match(/[\p{L}\p{N}_$]+/gu) ?? [];
}

// Expands the placeholders of a template's own strings with the values of variables. Values are data: nothing in them is
// expanded.
import { formatReceived } from '../contract/json/describe.js';
import { MAX_TEXT } from '../contract/layers/index.js';
import { type LayerString, withLayerStrings } from '../contract/layers/layer-strings.js';
import { joinPath } from '../contract/messages/issues.js';
import { fieldPath, type LayerOrigin } from '../contract/messages/origins.js';
import { formatValue, percentEncode } from '../contract/template/format-value.js';
import { isPlaceholder, type Placeholder, parsePlaceholders } from '../contract/template/placeholders.js';
import type { Detail, Warning } from '../errors.js';
import type { Variable } from './variables.js';

type Json = Readonly<Record<string, unknown>>;

/** Maximum characters of all values in the placeholders of one scene, counted before and after each format. */
const MAX_INSERTED = 4 * MAX_TEXT;

export interface ExpandedLayer<Layer> {
  readonly layer: Layer;
  readonly inserted: NonNullable<LayerOrigin['inserted']>;
}

type VariableNamed = (name: string) => Variable | undefined;

/** Whether the name stands for the number of a page, or of all pages, in documents. */
export const isPageNumber = (name: string): boolean => name === 'page' || name === 'pages';

/** The variables of a document: placeholders for page numbers stay, since numbers take their place later. */
export function withPageNumbers(variableNamed: VariableNamed): VariableNamed {
  return (name) => (isPageNumber(name) ? { name, value: `{{${name}}}` } : variableNamed(name));
}

/** A part of a string: of the template itself, a placeholder, or the text of an expression, which is a value. */
export type FilledPiece = string | Placeholder | { readonly value: string };

/** Expands the strings of one scene. */
export class PlaceholderExpansion {
  readonly warnings: Warning[] = [];
  /** Faults that make the scene impossible. */
  readonly faults: Detail[] = [];
  #left = MAX_INSERTED;

  constructor(private readonly variableNamed: VariableNamed) {}

  /**
   * The layer at `path` with its placeholders expanded. A string other than a drawn text that is empty without the values of
   * variables is left out, as if it were not given. `kept`: fields that come from a variable.
   */
  expand<Layer extends Json>(layer: Layer, path: string, fixedFields: readonly string[] = []): ExpandedLayer<Layer> {
    const inserted: { readonly field: string; readonly path: string }[] = [];
    const expanded = withLayerStrings(layer, (string) => {
      const { field, value, kind } = string;
      const [top] = field.split(/[.[]/, 1);
      if (fixedFields.includes(top) || !value.includes('{{')) return value;
      // templates with expressions are expanded by lib/data
      const pieces = parsePlaceholders(value).pieces.map((piece) =>
        typeof piece === 'string' || isPlaceholder(piece) ? piece : piece.source,
      );
      const { text, sources } = this.fill(pieces, kind, fieldPath(path, field));
      const [source] = sources;
      if (sources.size === 1) inserted.push({ field, path: source });
      return text === '' && kind !== 'text' ? undefined : text;
    });
    return { layer: expanded, inserted };
  }

  /** The text of the pieces of a string of that kind, and the paths of the variables in it. */
  fill(
    pieces: readonly FilledPiece[],
    kind: LayerString['kind'],
    path: string,
    variableNamed = this.variableNamed,
  ): { text: string; sources: Set<string> } {
    const encodes = (kind === 'url' || kind === 'link') && isWebUrl(pieces);
    const sources = new Set<string>();
    // like the text, with a letter for each character of a value
    let outline = '';
    let text = '';
    for (const piece of pieces) {
      if (typeof piece === 'string') {
        text += piece;
        outline += piece;
        continue;
      }
      let value: string;
      let isEncoded = false;
      if ('value' in piece) value = piece.value;
      else {
        const variable = this.#valueOf(piece, path, variableNamed);
        if (variable === undefined) {
          text += piece.fallback;
          outline += piece.fallback;
          continue;
        }
        sources.add(variable.path);
        value = variable.text;
        isEncoded = piece.formats.some((format) => format.kind === 'url');
      }
      const part = encodes && !isEncoded ? this.#reserve(percentEncode(value), path) : value;
      text += part;
      if (encodes) outline += 'x'.repeat(part.length);
    }
    if (encodes && changesPath(text, outline)) {
      const [source] = sources;
      const message = `${path}: a value must not be . or .. as a part of the URL's path`;
      this.faults.push({ code: 'invalid_value', path: sources.size === 1 ? source : path, message });
    }
    return { text, sources };
  }

  /** The formatted value of the placeholder's variable; undefined where its default stands. */
  #valueOf(
    { name, formats, source }: Placeholder,
    path: string,
    variableNamed: VariableNamed,
  ): { text: string; path: string } | undefined {
    const variable = variableNamed(name);
    if (variable?.value === undefined || variable.value === null || variable.value === '') return undefined;
    const { value } = variable;
    const { path: at = joinPath('variables', variable.name) } = variable;
    if (typeof value === 'object' || typeof value === 'function') {
      const message = `${path}: received ${formatReceived(value)}, expected text, a number, true or false: ${source} has its default`;
      this.warnings.push({ code: 'unusable_value', path: at, message });
      return undefined;
    }
    let text = this.#reserve(String(value), path);
    for (const format of formats) {
      const formatted = formatValue(text, format);
      if (formatted === undefined) {
        this.warnings.push({
          code: 'unusable_value',
          path: at,
          message: `${path}: received ${formatReceived(value)}, expected a number: ${source} has it unchanged`,
        });
      } else text = this.#reserve(formatted, path);
    }
    return { text, path: at };
  }

  /** `text`, or nothing once there is more than fits. */
  #reserve(text: string, path: string): string {
    if (text.length <= this.#left) {
      this.#left -= text.length;
      return text;
    }
    if (this.#left >= 0) {
      this.#left = -1;
      const message = `the values of the placeholders up to here have more than ${MAX_INSERTED} characters`;
      this.faults.push({ code: 'limit_exceeded', path, message });
    }
    return '';
  }
}

/** Whether the template gives the URL its scheme. What begins with a value, a local path or a name is not encoded. */
function isWebUrl([first]: readonly FilledPiece[]): boolean {
  return typeof first === 'string' && /^\s*(?:https?|file|data):/i.test(first);
}

/** Whether a value makes a part of the URL's path `.` or `..`, which changes the others. */
function changesPath(url: string, outline: string): boolean {
  const partsOf = (text: string) => text.split(/[?#]/, 1)[0].split(/[/\\]/);
  const parts = partsOf(outline);
  return partsOf(url).some((part, i) => /^(?:\.|%2e){1,2}$/i.test(part) && part !== parts[i]);
}

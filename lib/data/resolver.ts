// Resolves the strings of one payload to values, and collects what is wrong with them.
import type { LayerString } from '../contract/layers/layer-strings.js';
import { fieldPath, type LayerOrigin } from '../contract/messages/origins.js';
import type { Placeholder } from '../contract/template/placeholders.js';
import type { Detail, Warning } from '../errors.js';
import { Budget } from './budget.js';
import { ExpressionError, faultMessage } from './error.js';
import { evaluate } from './evaluate.js';
import { joined } from './functions/index.js';
import type { Names } from './names.js';
import { type DynamicField, dynamicFields, LATER_FIELD, type StringKind, withValue } from './plan.js';
import { type DynamicPart, type DynamicString, parseString, type StringPart } from './strings.js';
import { numeric, type Tokens, tokenText } from './tokens.js';
import { asValue, describe, textOf, type Value } from './value.js';

type Json = Readonly<Record<string, unknown>>;

/** A value that a placeholder stands for. */
export interface NamedValue {
  readonly name: string;
  readonly value: unknown;
  readonly path?: string;
}

type VariableNamed = (name: string) => NamedValue | undefined;

/** Makes the text of a string with placeholders; `value` is the text of an expression. */
export type FillPlaceholders = (
  pieces: readonly (string | Placeholder | { readonly value: string })[],
  kind: LayerString['kind'],
  path: string,
  variableNamed?: VariableNamed,
) => { readonly text: string; readonly sources: ReadonlySet<string> };

export interface ResolutionOptions {
  /** Whether expressions and placeholders are read. */
  readonly isTemplate: boolean;
  readonly tokens: Tokens;
  readonly fill: FillPlaceholders;
}

/** A raw layer with its place. */
export interface OriginalLayer {
  readonly layer: unknown;
  readonly origin: LayerOrigin;
}

/** Names and placeholders that strings see. */
export interface Surroundings {
  readonly names: Names;
  /** Ends the ids of copies: `[3]`. */
  readonly suffix: string;
  /** In a component, the props. */
  readonly variableNamed?: VariableNamed;
}

/** An object with a text that is evaluated later. The same one each time, so that it is parsed once. */
export type LaterHolder = { readonly [LATER_FIELD]: string };

export interface ResolvedFields {
  readonly fields: Json;
  /** The fields with the value of one variable, and its path. */
  readonly inserted: readonly { readonly field: string; readonly path: string }[];
}

/** Stands for a value that has a fault, which is reported. */
export const FAILED = Symbol('failed');
/** Stops an expansion: a bound is exceeded, or there are too many faults. */
export class ExpansionStop extends Error {}

/** Faults after which nothing more is resolved. */
const MAX_FAULTS = 100;
const MAX_WARNINGS = 100;
/** The fields without which a layer is not drawn, and what they hold. */
const MAIN_KINDS: ReadonlyMap<string, StringKind> = new Map([
  ['text', 'text'],
  ['url', 'url'],
  ['data', 'data'],
  ['icon', 'css'],
]);
/** Objects that are nothing without their URL. */
const URL_HOLDERS: readonly unknown[] = ['logo', 'maskImage'];

export class Resolver {
  readonly faults: Detail[] = [];
  readonly warnings: Warning[] = [];
  readonly #budget = new Budget();
  readonly #plans = new Map<object, readonly DynamicField[]>();

  constructor(private readonly options: ResolutionOptions) {}

  /**
   * The fields of a layer with their values; undefined where the main value, a text, a URL or data, is null. `fixed`: fields that
   * have the value of a variable.
   */
  fields(raw: Json, path: string, around: Surroundings, fixed: readonly string[] = []): ResolvedFields | undefined {
    let fields = raw;
    const inserted: { readonly field: string; readonly path: string }[] = [];
    for (const { field, keys, kind, string } of this.#planOf(raw, fixed)) {
      const at = field === LATER_FIELD ? path : fieldPath(path, field);
      const resolved = this.#value(string, kind, at, around);
      if (resolved === FAILED) continue;
      const { value, source } = resolved;
      if (source !== undefined) inserted.push({ field, path: source });
      const isAbsent = value === undefined;
      if (isAbsent && raw.type === 'chart' && field === 'data') return undefined;
      if (isAbsent && raw.type === 'table' && field === 'rows') {
        // null has no entries, as for each
        fields = { ...fields, rows: [] };
        continue;
      }
      if (isAbsent && MAIN_KINDS.get(field) === kind && (field !== 'text' || !raw.spans)) return undefined;
      const isHeld = isAbsent && kind === 'url' && URL_HOLDERS.includes(keys[0]);
      const isSpan = isAbsent && kind === 'text' && keys.length > 1;
      fields = withValue(fields, isHeld ? keys.slice(0, 1) : keys, isSpan ? '' : value);
    }
    return { fields, inserted };
  }

  #planOf(raw: Json, fixed: readonly string[]): readonly DynamicField[] {
    const known = this.#plans.get(raw);
    if (known) return known;
    const plan = dynamicFields(raw, this.options.isTemplate, fixed);
    this.#plans.set(raw, plan);
    return plan;
  }

  /** A value in the template, such as a prop, in which every string may be dynamic. */
  deep(value: unknown, path: string, around: Surroundings): Value | typeof FAILED {
    const holder = { value };
    const resolved = this.fields(holder, path, around);
    return resolved ? asValue((resolved.fields as typeof holder).value) : null;
  }

  /** The value of a string that has to be one expression. */
  expression(source: unknown, path: string, around: Surroundings): Value | typeof FAILED {
    const parsed = typeof source === 'string' ? this.#parsed(source, path) : undefined;
    if (parsed === FAILED) return FAILED;
    if (parsed?.alone?.kind !== 'expression') {
      const received = describe(asValue(source));
      return this.fault(path, `received ${received}, expected one expression such as {{= items }}`);
    }
    const { alone } = parsed;
    return this.#located(path, alone, () => evaluate(alone.node, around.names, this.#budget));
  }

  /** Whether a text is evaluated later, as formats are: it has an expression. Else it is a fault. */
  hasExpression(format: string, path: string): boolean {
    if (!format.includes('{{=')) {
      const expected = 'an expression such as {{= number(value) }}';
      this.fault(path, `received ${describe(format)}, expected ${expected}`);
    } else if (!this.options.isTemplate) this.fault(path, `expressions need ${SWITCH}`);
    else return true;
    return false;
  }

  /** The value of a text at `path` that sees other names than its layer. */
  laterValue(text: LaterHolder, path: string, around: Surroundings): Value | typeof FAILED {
    const faults = this.faults.length;
    const fields = this.fields(text, path, around)?.fields;
    return this.faults.length > faults ? FAILED : asValue(fields?.[LATER_FIELD]);
  }

  /** The text that such a value is. */
  laterText(text: LaterHolder, path: string, around: Surroundings): string | typeof FAILED {
    const value = this.laterValue(text, path, around);
    return value === FAILED ? FAILED : this.textAt(path, value);
  }

  /** The text of a value. */
  textAt(path: string, value: Value): string | typeof FAILED {
    return textOf(value) ?? this.fault(path, `gives ${describe(value)}, expected a text; list(x, "and") makes a text`);
  }

  /** A fault about the value of an expression that `expression` accepted. */
  expressionFault(source: string, path: string, message: string): typeof FAILED {
    const parsed = parseString(source, { isTemplate: true, isCss: false });
    const alone = parsed?.alone;
    return this.fault(path, alone?.kind === 'expression' ? faultMessage(alone.source, 1, message) : message);
  }

  /** Whether a condition holds; null does not. A fault counts as false. */
  condition(condition: unknown, path: string, around: Surroundings): boolean {
    if (typeof condition === 'boolean') return condition;
    const value = this.expression(condition, path, around);
    if (value === FAILED || value === null || typeof value === 'boolean') return value === true;
    this.expressionFault(condition as string, path, `received ${describe(value)}, expected true or false`);
    return false;
  }

  fault(path: string, message: string, code: Detail['code'] = 'invalid_value'): typeof FAILED {
    this.faults.push({ code, path, message });
    if (this.faults.length >= MAX_FAULTS) throw new ExpansionStop();
    return FAILED;
  }

  warn(warning: Warning): void {
    if (this.warnings.length < MAX_WARNINGS) this.warnings.push(warning);
  }

  #parsed(source: string, path: string): DynamicString | undefined | typeof FAILED {
    if (!this.options.isTemplate) return this.fault(path, `expressions need ${SWITCH}`);
    const parsed = parseString(source, { isTemplate: true, isCss: false });
    return parsed?.fault === undefined ? parsed : this.fault(path, parsed.fault);
  }

  #value(
    { parts, alone, fault }: DynamicString,
    kind: StringKind,
    path: string,
    around: Surroundings,
  ): { readonly value: unknown; readonly source?: string } | typeof FAILED {
    if (fault !== undefined) return this.fault(path, fault);
    if (alone) {
      const value = this.#part(alone, path, around);
      if (value === FAILED) return FAILED;
      if (value === null) return { value: undefined };
      if (kind === 'css' || kind === 'value') return { value };
      const text = textOf(value);
      if (text !== undefined) return { value: text };
      const message = `received ${describe(value)}, expected a text; list(x, "and") or x.join(", ") makes a text of a list`;
      return alone.kind === 'expression' ? this.#faultIn(alone, path, 0, message) : this.fault(path, message);
    }
    const pieces: (string | Placeholder | { readonly value: string })[] = [];
    for (const part of parts) {
      if (typeof part === 'string') pieces.push(part);
      else if (!('kind' in part)) pieces.push(kind === 'css' ? part.source : part);
      else {
        const text = this.#text(part, path, around);
        if (text === FAILED) return FAILED;
        pieces.push({ value: text });
      }
    }
    const textKind = kind === 'css' || kind === 'value' ? 'text' : kind;
    const { text, sources } = this.options.fill(pieces, textKind, path, around.variableNamed);
    const [source] = sources;
    return {
      value: text === '' && kind !== 'text' && kind !== 'value' ? undefined : text,
      ...(sources.size === 1 && { source }),
    };
  }

  /** The value of an expression or token that is a whole string. */
  #part(part: DynamicPart, path: string, around: Surroundings): Value | typeof FAILED {
    return this.#located(path, part, () => {
      if (part.kind === 'expression') return evaluate(part.node, around.names, this.#budget);
      const value = this.options.tokens.resolve(part.name, part.at);
      if (value !== undefined) return value;
      if (!part.fallback) throw this.options.tokens.unknown(part.name, part.at);
      const [only] = part.fallback;
      const isDynamic = part.fallback.length === 1 && typeof only === 'object' && 'kind' in only;
      return isDynamic
        ? this.#reported(this.#part(only, path, around))
        : numeric(this.#joined(part.fallback, path, around));
    });
  }

  #text(part: DynamicPart, path: string, around: Surroundings): string | typeof FAILED {
    return this.#located(path, part, () => {
      if (part.kind === 'expression') {
        return joined([evaluate(part.node, around.names, this.#budget)], '', 0, this.#budget);
      }
      return tokenText(this.#reported(this.#part(part, path, around)), part.name, part.at);
    });
  }

  /** The text of a fallback. */
  #joined(parts: readonly StringPart[], path: string, around: Surroundings): string {
    return parts
      .map((part) => {
        if (typeof part === 'string') return part;
        return 'kind' in part ? this.#reported(this.#text(part, path, around)) : part.source;
      })
      .join('');
  }

  #reported<Result>(result: Result | typeof FAILED): Result {
    if (result === FAILED) throw new Reported();
    return result as Result;
  }

  /** Runs `run`, and reports an ExpressionError at the path. */
  #located<Result>(path: string, part: DynamicPart, run: () => Result): Result | typeof FAILED {
    try {
      return run();
    } catch (error) {
      if (error instanceof Reported) return FAILED;
      if (!(error instanceof ExpressionError)) throw error;
      if (part.kind === 'expression') this.#faultIn(part, path, error.at, error.message, error.isLimit);
      else this.fault(path, `column ${part.at + 1}: ${error.message}`);
      if (error.isLimit) throw new ExpansionStop();
      return FAILED;
    }
  }

  #faultIn(
    { source, at }: Extract<DynamicPart, { kind: 'expression' }>,
    path: string,
    index: number,
    message: string,
    isLimit = false,
  ): typeof FAILED {
    // a fault of the whole expression is at its first character that is no blank
    const start = at + Math.max(index, source.search(/\S/));
    return this.fault(path, faultMessage(source, start + 1, message), isLimit ? 'limit_exceeded' : 'invalid_value');
  }
}

/** A part of a string failed, and its fault is reported. */
class Reported extends Error {}

/** What a payload needs for expressions. */
export const SWITCH = '"data": {} in the payload, or "placeholders": true in the template';

// Splits a string of a template into literals, placeholders, expressions and tokens. Strings are parsed once and cached.
import { createByteCache } from '../cache/lru.js';
import { type Placeholder, parsePlaceholders } from '../contract/template/placeholders.js';
import { ExpressionError, faultMessage } from './error.js';
import { type Node, parseExpression } from './syntax.js';

/** An expression, or `var(--name, fallback)`. `at`: index of its text in the string. */
export type DynamicPart =
  | { readonly kind: 'expression'; readonly source: string; readonly at: number; readonly node: Node }
  | { readonly kind: 'token'; readonly name: string; readonly fallback?: readonly StringPart[]; readonly at: number };
export type StringPart = string | Placeholder | DynamicPart;

/** A string that is not what it says. */
export interface DynamicString {
  readonly parts: readonly StringPart[];
  /** The part that is the whole string and gives it its type. */
  readonly alone?: DynamicPart;
  /** Why it is malformed. */
  readonly fault?: string;
}

export interface StringSyntax {
  /** Whether placeholders and expressions stand in it. */
  readonly isTemplate: boolean;
  /** Whether it holds CSS, in which tokens stand. */
  readonly isCss: boolean;
}

const CACHE_BYTES = 8 * 2 ** 20;
/** About the memory of a parsed string, without and for each of its characters. */
const [STRING_BYTES, CHARACTER_BYTES] = [400, 60];

const cache = createByteCache<DynamicString>(CACHE_BYTES, (_, key) => STRING_BYTES + key.length * CHARACTER_BYTES);

/** The parts of the string; undefined if it is plain text. */
export function parseString(text: string, { isTemplate, isCss }: StringSyntax): DynamicString | undefined {
  const hasBraces = isTemplate && text.includes('{{');
  const hasTokens = isCss && text.includes('var(--');
  if (!hasBraces && !hasTokens) return undefined;
  const key = `${hasBraces ? 'b' : ''}${hasTokens ? 't' : ''} ${text}`;
  const known = cache.get(key);
  if (known) return known;
  const parsed = split(text, hasBraces, hasTokens);
  cache.set(key, parsed);
  return parsed;
}

function split(text: string, hasBraces: boolean, hasTokens: boolean): DynamicString {
  const pieces: StringPart[] = [];
  if (hasBraces) {
    const { pieces: found, faults } = parsePlaceholders(text);
    const [fault] = faults;
    if (fault) return { parts: [], fault: `column ${fault.position}: ${fault.message}` };
    for (const piece of found) {
      if (typeof piece === 'string' || !('expression' in piece)) pieces.push(piece);
      else {
        const { expression: source, at } = piece;
        try {
          pieces.push({ kind: 'expression', source, at, node: parseExpression(source) });
        } catch (error) {
          if (!(error instanceof ExpressionError)) throw error;
          return { parts: [], fault: faultMessage(source, at + error.at + 1, error.message) };
        }
      }
    }
  } else pieces.push(text);
  let parts = pieces;
  try {
    if (hasTokens) parts = new TokenReader(pieces).read();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { parts: [], fault: error.message };
  }
  const [alone] = parts;
  const isAlone = parts.length === 1 && typeof alone === 'object' && 'kind' in alone;
  return { parts, ...(isAlone && { alone }) };
}

const TOKEN = /var\(--([A-Za-z][\w-]*)\s*([,)])/g;

/** Maximum fallbacks inside each other. */
const MAX_FALLBACKS = 32;

/** Finds tokens in literals. The fallback of a token ends at its bracket, which may be in a later literal. */
class TokenReader {
  #piece = 0;
  #index = 0;
  #depth = 0;

  constructor(private readonly pieces: readonly StringPart[]) {}

  /** Reads to the end, or up to the bracket that closes a fallback. Throws ExpressionError for too many fallbacks. */
  read(): StringPart[] {
    const isFallback = this.#depth > 0;
    const parts: StringPart[] = [];
    let brackets = 0;
    let literal = '';
    const flush = () => {
      if (literal !== '') parts.push(literal);
      literal = '';
    };
    while (this.#piece < this.pieces.length) {
      const piece = this.pieces[this.#piece];
      const found = typeof piece === 'string' ? this.#nextToken(piece) : undefined;
      if (typeof piece === 'string') {
        for (const until = found ? found.index : piece.length; this.#index < until; this.#index++) {
          const character = piece[this.#index];
          if (character === '(') brackets++;
          if (character === ')' && isFallback && brackets-- === 0) {
            this.#index++;
            flush();
            return parts;
          }
          literal += character;
        }
      }
      if (found) {
        flush();
        parts.push(this.#token(found));
        continue;
      }
      if (typeof piece !== 'string') {
        flush();
        parts.push(piece);
      }
      this.#piece++;
      this.#index = 0;
    }
    flush();
    return parts;
  }

  #nextToken(piece: string): RegExpExecArray | undefined {
    TOKEN.lastIndex = this.#index;
    return TOKEN.exec(piece) ?? undefined;
  }

  #token(found: RegExpExecArray): DynamicPart {
    const [source, name, end] = found;
    const at = found.index;
    this.#index = at + source.length;
    if (end === ')') return { kind: 'token', name, at };
    if (++this.#depth > MAX_FALLBACKS) {
      throw new ExpressionError(at, `received more than ${MAX_FALLBACKS} fallbacks inside each other, expected fewer`);
    }
    const fallback = trimmed(this.read());
    this.#depth--;
    return { kind: 'token', name, at, fallback };
  }
}

/** Removes blanks at the ends of a fallback. */
function trimmed(parts: readonly StringPart[]): StringPart[] {
  const last = parts.length - 1;
  return parts
    .map((part, i) => {
      if (typeof part !== 'string') return part;
      const start = i === 0 ? part.trimStart() : part;
      return i === last ? start.trimEnd() : start;
    })
    .filter((part) => part !== '');
}

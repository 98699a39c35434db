// Parses expressions: CEL, the Common Expression Language, without bytes, types and messages. The syntax tree is plain data.

import { closestMatch, didYouMean } from '../contract/messages/closest-match.js';
import { ExpressionError } from './error.js';
import { FUNCTIONS, METHODS } from './functions/index.js';
import { type Token, tokensOf } from './lexer.js';

export type Macro = 'all' | 'exists' | 'exists_one' | 'filter' | 'map';
export type BinaryOperator = '+' | '-' | '*' | '/' | '%' | '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in';

/** A node of the syntax tree. `at`: index in the expression's text. */
export type Node = { readonly at: number } & (
  | { readonly kind: 'literal'; readonly value: null | boolean | number | string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'field'; readonly target: Node; readonly name: string }
  | { readonly kind: 'has'; readonly target: Node; readonly name: string }
  | { readonly kind: 'index'; readonly target: Node; readonly index: Node }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Node[] }
  | { readonly kind: 'method'; readonly target: Node; readonly name: string; readonly args: readonly Node[] }
  | MacroNode
  | { readonly kind: 'negate' | 'not'; readonly operand: Node }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Node; readonly right: Node }
  | { readonly kind: 'logic'; readonly decisive: boolean; readonly left: Node; readonly right: Node }
  | { readonly kind: 'conditional'; readonly condition: Node; readonly yes: Node; readonly no: Node }
  | { readonly kind: 'list'; readonly items: readonly Node[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [key: Node, value: Node])[] }
);

interface MacroNode {
  readonly kind: 'macro';
  readonly macro: Macro;
  readonly target: Node;
  readonly variable: string;
  /** The condition of `map` with three arguments. */
  readonly condition?: Node;
  readonly body: Node;
}

/** Maximum characters of an expression, nodes of its tree, and levels of brackets, calls and conditions in it. */
const MAX_CHARACTERS = 2000;
const MAX_NODES = 500;
const MAX_DEPTH = 32;

const MACROS: readonly string[] = ['all', 'exists', 'exists_one', 'filter', 'map'] satisfies Macro[];
/** Words of the language, and those that CEL reserves. */
const RESERVED = new Set(
  'as break const continue else for function if import in let loop package namespace return var void while'.split(' '),
);

/** Binary operators by precedence, the loosest first. */
const LEVELS: readonly (readonly string[])[] = [
  ['<', '<=', '>', '>=', '==', '!=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];

/** Throws ExpressionError. */
export function parseExpression(source: string): Node {
  if (source.length > MAX_CHARACTERS) {
    throw new ExpressionError(0, `received ${source.length} characters, expected at most ${MAX_CHARACTERS}`);
  }
  const parser = new Parser(tokensOf(source));
  return parser.parse();
}

class Parser {
  #index = 0;
  #nodes = 0;
  #depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  parse(): Node {
    if (this.#isAtEnd()) throw this.#unexpected('an expression');
    const node = this.#conditional();
    if (!this.#isAtEnd()) throw this.#unexpected('an operator or the end');
    return node;
  }

  get #next(): Token {
    return this.tokens[this.#index];
  }

  #isAtEnd(): boolean {
    return this.#next.kind === 'end';
  }

  #is(text: string): boolean {
    const { kind, text: next } = this.#next;
    return next === text && (kind === 'operator' || kind === 'word');
  }

  #take(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#index++;
    return true;
  }

  #expect(text: string, why = ''): void {
    if (!this.#take(text)) throw this.#unexpected(`${text}${why}`);
  }

  #unexpected(expected: string): ExpressionError {
    const { at, text } = this.#next;
    return new ExpressionError(at, `received ${text}, expected ${expected}`);
  }

  #node<Kind extends Node>(node: Kind): Kind {
    if (++this.#nodes > MAX_NODES) {
      throw new ExpressionError(node.at, `the expression has more than ${MAX_NODES} parts, expected fewer`);
    }
    return node;
  }

  /** Runs `parse` one level deeper. */
  #nested<Result>(parse: () => Result): Result {
    if (++this.#depth > MAX_DEPTH) {
      throw new ExpressionError(this.#next.at, `received more than ${MAX_DEPTH} levels, expected fewer`);
    }
    const result = parse();
    this.#depth--;
    return result;
  }

  #conditional(): Node {
    return this.#nested(() => {
      const condition = this.#logic('||');
      const { at } = this.#next;
      if (!this.#take('?')) return condition;
      const yes = this.#logic('||');
      this.#expect(':', ' and what else it is');
      return this.#node({ kind: 'conditional', at, condition, yes, no: this.#conditional() });
    });
  }

  #logic(operator: '||' | '&&'): Node {
    const operand = () => (operator === '||' ? this.#logic('&&') : this.#binary(0));
    let left = operand();
    for (;;) {
      const { at } = this.#next;
      if (!this.#take(operator)) return left;
      left = this.#node({ kind: 'logic', at, decisive: operator === '||', left, right: operand() });
    }
  }

  #binary(level: number): Node {
    if (level === LEVELS.length) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const { at, text } = this.#next;
      if (!LEVELS[level].includes(text) || !this.#take(text)) return left;
      left = this.#node({ kind: 'binary', at, operator: text as BinaryOperator, left, right: this.#binary(level + 1) });
    }
  }

  #unary(): Node {
    const { at } = this.#next;
    const kind = this.#take('!') ? 'not' : this.#take('-') ? 'negate' : undefined;
    if (kind === undefined) return this.#member();
    return this.#nested(() => this.#node({ kind, at, operand: this.#unary() }));
  }

  #member(): Node {
    let target = this.#primary();
    for (;;) {
      const { at } = this.#next;
      if (this.#take('.')) target = this.#selected(target);
      else if (this.#take('[')) {
        const index = this.#conditional();
        this.#expect(']');
        target = this.#node({ kind: 'index', at, target, index });
      } else return target;
    }
  }

  /** Parses what follows the dot after `target`. */
  #selected(target: Node): Node {
    const { at, kind, text: name } = this.#next;
    if (kind !== 'word') throw this.#unexpected('the name of a field or method; write ["a name"] for others');
    this.#index++;
    if (!this.#take('(')) return this.#node({ kind: 'field', at, target, name });
    if (MACROS.includes(name)) return this.#macro(target, name as Macro, at);
    const args = this.#args(')');
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    if (!method) {
      const hint = Object.hasOwn(FUNCTIONS, name)
        ? `; write ${name}(…)`
        : didYouMean(closestMatch(name, [...Object.keys(METHODS), ...MACROS]));
      throw new ExpressionError(at, `there is no method ${name}${hint}`);
    }
    checkCount(`.${name}`, args.length, method, at);
    return this.#node({ kind: 'method', at, target, name, args });
  }

  #macro(target: Node, macro: Macro, at: number): Node {
    const { kind, text: variable, at: variableAt } = this.#next;
    const isName = kind === 'word' && !RESERVED.has(variable);
    const args = this.#args(')');
    const most = macro === 'map' ? 3 : 2;
    if (args.length < 2 || args.length > most) {
      const expected = macro === 'map' ? '2 or 3' : '2';
      throw new ExpressionError(
        at,
        `.${macro} received ${args.length} arguments, expected ${expected}: a name, then what is made of it`,
      );
    }
    if (!isName || args[0].kind !== 'name') {
      throw new ExpressionError(variableAt, `expected a name for each entry as the first argument of .${macro}`);
    }
    const [, condition, body] = args.length === 3 ? args : [args[0], undefined, args[1]];
    return this.#node({ kind: 'macro', at, macro, target, variable, ...(condition && { condition }), body: body! });
  }

  #primary(): Node {
    const token = this.#next;
    const { at, kind, text, value } = token;
    this.#index++;
    if (kind === 'number' || kind === 'text') return this.#node({ kind: 'literal', at, value: value! });
    if (kind === 'word') return this.#word(token);
    if (kind === 'operator') {
      if (text === '(') {
        const inner = this.#conditional();
        this.#expect(')');
        return inner;
      }
      if (text === '[') return this.#node({ kind: 'list', at, items: this.#args(']') });
      if (text === '{') return this.#node({ kind: 'map', at, entries: this.#entries() });
    }
    this.#index--;
    throw this.#unexpected('a value');
  }

  #word({ at, text: name }: Token): Node {
    if (name === 'true' || name === 'false') return this.#node({ kind: 'literal', at, value: name === 'true' });
    if (name === 'null') return this.#node({ kind: 'literal', at, value: null });
    if (RESERVED.has(name))
      throw new ExpressionError(at, `${name} is a reserved word; write vars["${name}"] for a variable`);
    if (!this.#take('(')) return this.#node({ kind: 'name', at, name });
    const args = this.#args(')');
    if (name === 'has') return this.#has(args, at);
    const definition = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (!definition) {
      const hint =
        Object.hasOwn(METHODS, name) || MACROS.includes(name)
          ? `; write it after the value: value.${name}(…)`
          : didYouMean(closestMatch(name, [...Object.keys(FUNCTIONS), 'has']));
      throw new ExpressionError(at, `there is no function ${name}${hint}`);
    }
    checkCount(name, args.length, definition, at);
    return this.#node({ kind: 'call', at, name, args });
  }

  #has(args: readonly Node[], at: number): Node {
    const [field] = args;
    if (args.length !== 1 || field.kind !== 'field') {
      throw new ExpressionError(at, 'has takes one field, such as has(item.price)');
    }
    return this.#node({ kind: 'has', at, target: field.target, name: field.name });
  }

  /** Parses expressions up to `close`. A comma may follow the last of a list. */
  #args(close: ')' | ']'): Node[] {
    const args: Node[] = [];
    while (!this.#take(close)) {
      args.push(this.#conditional());
      if (this.#take(',') && !(close === ')' && this.#is(close))) continue;
      this.#expect(close, ' or a comma');
      break;
    }
    return args;
  }

  #entries(): (readonly [Node, Node])[] {
    const entries: (readonly [Node, Node])[] = [];
    while (!this.#take('}')) {
      const key = this.#conditional();
      this.#expect(':', ' after a key');
      entries.push([key, this.#conditional()]);
      if (this.#take(',')) continue;
      this.#expect('}', ' or a comma');
      break;
    }
    return entries;
  }
}

function checkCount(name: string, count: number, { min, max }: { min: number; max: number }, at: number): void {
  if (count >= min && count <= max) return;
  const expected = min === max ? String(min) : max === Infinity ? `at least ${min}` : `${min} to ${max}`;
  const noun = count === 1 ? 'argument' : 'arguments';
  throw new ExpressionError(at, `${name} received ${count} ${noun}, expected ${expected}`);
}

/** The names that a tree reads from outside of itself, and the keys that it reads as `vars["key"]`. */
export function freeNames(node: Node): Set<string> {
  const names = new Set<string>();
  const visit = (each: Node, bound: readonly string[]): void => {
    if (each.kind === 'name' && !bound.includes(each.name)) names.add(each.name);
    const key = keyOfVars(each);
    if (key !== undefined) names.add(key);
    if (each.kind === 'macro') {
      visit(each.target, bound);
      for (const part of [each.condition, each.body]) if (part) visit(part, [...bound, each.variable]);
    } else for (const part of partsOf(each)) visit(part, bound);
  };
  visit(node, []);
  return names;
}

/** The key in `vars.key`, `has(vars.key)` and `vars["key"]`. */
function keyOfVars(node: Node): string | undefined {
  if (!('target' in node) || node.target.kind !== 'name' || node.target.name !== 'vars') return undefined;
  if (node.kind === 'field' || node.kind === 'has') return node.name;
  return node.kind === 'index' && node.index.kind === 'literal' ? String(node.index.value) : undefined;
}

function partsOf(node: Exclude<Node, { kind: 'macro' }>): readonly Node[] {
  switch (node.kind) {
    case 'literal':
    case 'name':
      return [];
    case 'field':
    case 'has':
      return [node.target];
    case 'index':
      return [node.target, node.index];
    case 'method':
      return [node.target, ...node.args];
    case 'call':
      return node.args;
    case 'negate':
    case 'not':
      return [node.operand];
    case 'binary':
    case 'logic':
      return [node.left, node.right];
    case 'conditional':
      return [node.condition, node.yes, node.no];
    case 'list':
      return node.items;
    case 'map':
      return node.entries.flat();
  }
}

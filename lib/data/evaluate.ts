// Evaluates the syntax tree of an expression. It reaches the names of its scope and nothing else.
import type { Budget } from './budget.js';
import { ExpressionError } from './error.js';
import { compareValues, FUNCTIONS, isEqual, joined, METHODS } from './functions/index.js';
import { type Names, rootOf, valueNamed } from './names.js';
import type { BinaryOperator, Node } from './syntax.js';
import { asValue, describe, fieldOf, isList, isRecord, recordOf, type Value } from './value.js';

/** Throws ExpressionError. */
export function evaluate(node: Node, scope: Names, budget: Budget): Value {
  budget.step(node.at);
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'name':
      return valueNamed(scope, node.name);
    case 'field':
      return fieldOf(evaluate(node.target, scope, budget), node.name);
    case 'has':
      return fieldOf(evaluate(node.target, scope, budget), node.name) !== null;
    case 'index':
      return entryOf(evaluate(node.target, scope, budget), evaluate(node.index, scope, budget), node.at);
    case 'call': {
      const args = node.args.map((arg) => evaluate(arg, scope, budget));
      return FUNCTIONS[node.name].run(args, callOf(node.name, node.at, scope, budget));
    }
    case 'method': {
      const target = evaluate(node.target, scope, budget);
      const args = node.args.map((arg) => evaluate(arg, scope, budget));
      return METHODS[node.name].run([target, ...args], callOf(`.${node.name}`, node.at, scope, budget));
    }
    case 'macro':
      return runMacro(node, scope, budget);
    case 'negate':
      return negate(evaluate(node.operand, scope, budget), node.at);
    case 'not':
      return !truth(evaluate(node.operand, scope, budget), node.at);
    case 'binary': {
      const left = evaluate(node.left, scope, budget);
      return operate(node.operator, left, evaluate(node.right, scope, budget), node.at, budget);
    }
    case 'logic':
      return decide(node.decisive, [node.left, node.right], (each) => truth(evaluate(each, scope, budget), node.at));
    case 'conditional': {
      const isMet = truth(evaluate(node.condition, scope, budget), node.at);
      return evaluate(isMet ? node.yes : node.no, scope, budget);
    }
    case 'list':
      return node.items.map((item) => evaluate(item, scope, budget));
    case 'map': {
      return recordOf(
        node.entries.map(([key, value]) => {
          const name = evaluate(key, scope, budget);
          if (typeof name !== 'string')
            throw new ExpressionError(key.at, `received ${describe(name)}, expected a text as key`);
          return [name, evaluate(value, scope, budget)] as const;
        }),
      );
    }
  }
}

const callOf = (name: string, at: number, scope: Names, budget: Budget) => ({
  name,
  at,
  budget,
  locale: rootOf(scope).formatter,
});

/**
 * Whether a test gives `decisive` for one of `items`. As in CEL, one that does decides even where another has an error.
 */
function decide<Item>(decisive: boolean, items: readonly Item[], test: (item: Item) => boolean): boolean {
  let error: unknown;
  for (const item of items) {
    try {
      if (test(item) === decisive) return decisive;
    } catch (thrown) {
      if (!(thrown instanceof ExpressionError) || thrown.isLimit) throw thrown;
      error ??= thrown;
    }
  }
  if (error !== undefined) throw error;
  return !decisive;
}

/** Null is false, as for `visible`. */
function truth(value: Value, at: number): boolean {
  if (typeof value === 'boolean' || value === null) return value === true;
  throw new ExpressionError(at, `received ${describe(value)}, expected true or false`);
}

function negate(value: Value, at: number): number {
  if (typeof value !== 'number') throw new ExpressionError(at, mismatch(value, 'a number after -'));
  return -value;
}

function entryOf(target: Value, index: Value, at: number): Value {
  if (target === null || index === null) return null;
  if (isList(target)) {
    if (typeof index !== 'number')
      throw new ExpressionError(at, `received ${describe(index)}, expected a number as index`);
    return Number.isInteger(index) && index >= 0 && index < target.length ? asValue(target[index]) : null;
  }
  if (isRecord(target)) {
    if (typeof index !== 'string') throw new ExpressionError(at, `received ${describe(index)}, expected a text as key`);
    return fieldOf(target, index);
  }
  throw new ExpressionError(at, `received ${describe(target)}, expected a list or an object before [`);
}

const DEFAULT_HINT = '; default(x, 0) stands in for null';

function mismatch(value: Value, expected: string): string {
  return `received ${describe(value)}, expected ${expected}${value === null ? DEFAULT_HINT : ''}`;
}

function operate(operator: BinaryOperator, left: Value, right: Value, at: number, budget: Budget): Value {
  switch (operator) {
    case '==':
      return isEqual(left, right, at, budget);
    case '!=':
      return !isEqual(left, right, at, budget);
    case 'in':
      return isIn(left, right, at, budget);
    case '<':
      return compare(operator, left, right, at, budget) < 0;
    case '<=':
      return compare(operator, left, right, at, budget) <= 0;
    case '>':
      return compare(operator, left, right, at, budget) > 0;
    case '>=':
      return compare(operator, left, right, at, budget) >= 0;
    case '+':
      return add(left, right, at, budget);
    default:
      return calculate(operator, left, right, at);
  }
}

function isIn(value: Value, container: Value, at: number, budget: Budget): boolean {
  if (container === null) return false;
  if (isList(container)) return container.some((entry) => isEqual(value, asValue(entry), at, budget));
  if (isRecord(container)) return typeof value === 'string' && Object.hasOwn(container, value);
  throw new ExpressionError(at, `received ${describe(container)}, expected a list or an object after in`);
}

function compare(operator: string, left: Value, right: Value, at: number, budget: Budget): number {
  if (left === null || right === null)
    throw new ExpressionError(at, mismatch(null, `numbers or texts around ${operator}`));
  return compareValues(left, right, at, budget);
}

function add(left: Value, right: Value, at: number, budget: Budget): Value {
  if (typeof left === 'number' && typeof right === 'number') return finite(left + right, '+', at);
  if (typeof left === 'string' || typeof right === 'string') return joined([left, right], '', at, budget);
  if (isList(left) && isList(right)) {
    budget.list(at, left.length + right.length);
    return [...left, ...right];
  }
  const wrong = typeof left === 'number' || isList(left) ? right : left;
  throw new ExpressionError(at, mismatch(wrong, 'numbers, texts or lists around +'));
}

function calculate(operator: '-' | '*' | '/' | '%', left: Value, right: Value, at: number): number {
  for (const value of [left, right]) {
    if (typeof value !== 'number') throw new ExpressionError(at, mismatch(value, `numbers around ${operator}`));
  }
  const [a, b] = [left as number, right as number];
  return finite(operator === '-' ? a - b : operator === '*' ? a * b : operator === '/' ? a / b : a % b, operator, at);
}

function finite(result: number, operator: string, at: number): number {
  if (Number.isFinite(result)) return result;
  throw new ExpressionError(at, `the result of ${operator} is ${result}, expected a finite number`);
}

type MacroNode = Extract<Node, { kind: 'macro' }>;

function runMacro({ macro, target, variable, condition, body, at }: MacroNode, scope: Names, budget: Budget): Value {
  const container = evaluate(target, scope, budget);
  const entries = entriesOf(container, macro, at);
  budget.list(at, entries.length);
  const inside = (entry: Value): Names => ({ outer: scope, name: variable, value: entry });
  const holds = (node: Node) => (entry: Value) => truth(evaluate(node, inside(asValue(entry)), budget), at);
  switch (macro) {
    case 'all':
      return decide(false, entries, holds(body));
    case 'exists':
      return decide(true, entries, holds(body));
    case 'exists_one':
      return entries.filter(holds(body)).length === 1;
    case 'filter':
      return entries.filter(holds(body));
    case 'map': {
      const chosen = condition ? entries.filter(holds(condition)) : entries;
      return chosen.map((entry) => evaluate(body, inside(asValue(entry)), budget));
    }
  }
}

/** The entries of a list, or the keys of an object. */
function entriesOf(container: Value, macro: string, at: number): readonly Value[] {
  if (container === null) return [];
  if (isList(container)) return container;
  if (isRecord(container)) return Object.keys(container);
  throw new ExpressionError(at, `.${macro} received ${describe(container)}, expected a list`);
}

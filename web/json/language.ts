// JSON for CodeMirror: a parser that builds a tree of any text, with or without syntax errors. It is smaller than the general
// JSON parser, and it reads an unfinished string up to the end of its line as a key or value, which completion needs.
import {
  continuedIndent,
  defineLanguageFacet,
  foldInside,
  foldNodeProp,
  indentNodeProp,
  Language,
} from '@codemirror/language';
import { type Input, NodeProp, NodeSet, NodeType, Parser, type PartialParse, Tree } from '@lezer/common';
import { styleTags, tags } from '@lezer/highlight';

const NAMES = [
  'JsonText',
  'Object',
  'Array',
  'Property',
  'PropertyName',
  'String',
  'Number',
  'True',
  'False',
  'Null',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '⚠',
] as const;
type Name = (typeof NAMES)[number];

const ID = Object.fromEntries(NAMES.map((name, id) => [name, id])) as Readonly<Record<Name, number>>;

const PAIRS: readonly (readonly [string, string])[] = [
  ['{', '}'],
  ['[', ']'],
];

const nodeSet = new NodeSet(
  NAMES.map((name, id) =>
    NodeType.define({
      id,
      name,
      top: id === 0,
      error: name === '⚠',
      props: PAIRS.flatMap(([open, close]) => [
        ...(name === open ? [[NodeProp.closedBy, [close]] as [NodeProp<readonly string[]>, readonly string[]]] : []),
        ...(name === close ? [[NodeProp.openedBy, [open]] as [NodeProp<readonly string[]>, readonly string[]]] : []),
      ]),
    }),
  ),
).extend(
  styleTags({
    PropertyName: tags.propertyName,
    String: tags.string,
    Number: tags.number,
    'True False': tags.bool,
    Null: tags.null,
    '{ } [ ]': tags.bracket,
    ', :': tags.punctuation,
  }),
  indentNodeProp.add({
    Object: continuedIndent({ except: /^\s*\}/ }),
    Array: continuedIndent({ except: /^\s*\]/ }),
  }),
  foldNodeProp.add({ 'Object Array': foldInside }),
);

/** Matches blanks, then a bracket, comma or colon; a string, which ends at its quote or at the end of the line; or a word. */
const TOKEN = /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\\r\n]|\\[^\r\n])*"?\\?)|([^ \t\r\n{}[\],:"]+))/y;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORDS: ReadonlyMap<string, Name> = new Map([
  ['true', 'True'],
  ['false', 'False'],
  ['null', 'Null'],
]);

/** Tokens read before CodeMirror may pause the parse. */
const TOKENS_AT_ONCE = 1000;
/** Payloads have at most 64 levels; deeper text gets no tree. */
const MAX_LEVELS = 100;

interface Frame {
  readonly name: 'Object' | 'Array' | 'Property';
  readonly from: number;
  /** Length of the buffer before its first child. */
  readonly start: number;
  /** Whether the property's colon, and its value, have been read. */
  hasColon: boolean;
  hasValue: boolean;
}

class JsonParse implements PartialParse {
  parsedPos = 0;
  stoppedAt: number | null = null;
  /**
   * The nodes as four numbers each, children before their parent: type, start, end, and the buffer's length with its children.
   */
  readonly #buffer: number[] = [];
  readonly #frames: Frame[] = [];
  readonly #text: string;
  /** The end of the last token. */
  #end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  stopAt(position: number): void {
    this.stoppedAt = position;
  }

  advance(): Tree | null {
    const until = Math.min(this.stoppedAt ?? this.#text.length, this.#text.length);
    for (let count = 0; count < TOKENS_AT_ONCE; count++) {
      TOKEN.lastIndex = this.parsedPos;
      const token = this.parsedPos < until ? TOKEN.exec(this.#text) : null;
      if (!token || this.#frames.length > MAX_LEVELS) return this.#finish(until);
      const [, sign, string, word] = token;
      const to = TOKEN.lastIndex;
      const from = to - (sign ?? string ?? word).length;
      if (sign !== undefined) this.#addSign(sign as Name, from, to);
      else if (string !== undefined) this.#addString(from, to);
      else this.#addValue(WORDS.get(word) ?? (NUMBER.test(word) ? 'Number' : '⚠'), from, to);
      this.parsedPos = to;
      this.#end = to;
    }
    return null;
  }

  get #top(): Frame | undefined {
    return this.#frames.at(-1);
  }

  #add(name: Name, from: number, to: number): void {
    this.#buffer.push(ID[name], from, to, 4);
  }

  #open(name: Frame['name'], from: number): void {
    this.#frames.push({ name, from, start: this.#buffer.length, hasColon: false, hasValue: false });
  }

  #close(to: number): void {
    const { name, from, start } = this.#frames.pop()!;
    this.#buffer.push(ID[name], from, to, this.#buffer.length - start + 4);
  }

  #closeProperty(): void {
    if (this.#top?.name === 'Property') this.#close(this.#end);
  }

  #addString(from: number, to: number): void {
    // a key follows a property that lacks its colon or its comma
    const top = this.#top;
    if (top?.name === 'Property' && (!top.hasColon || top.hasValue)) this.#closeProperty();
    if (this.#top?.name === 'Object') {
      this.#open('Property', from);
      this.#add('PropertyName', from, to);
    } else this.#addValue('String', from, to);
  }

  #addValue(name: Name, from: number, to: number): void {
    const top = this.#top;
    const isExpected = top?.name !== 'Object' && (top?.name !== 'Property' || (top.hasColon && !top.hasValue));
    if (isExpected && top) top.hasValue = true;
    this.#add(isExpected ? name : '⚠', from, to);
  }

  #addSign(sign: Name, from: number, to: number): void {
    if (sign === '{' || sign === '[') {
      if (this.#top) this.#top.hasValue = true;
      this.#open(sign === '{' ? 'Object' : 'Array', from);
      this.#add(sign, from, to);
    } else if (sign === '}' || sign === ']') {
      const name = sign === '}' ? 'Object' : 'Array';
      const place = this.#frames.findLastIndex((frame) => frame.name === name);
      if (place < 0) this.#add('⚠', from, to);
      else {
        while (this.#frames.length > place + 1) this.#close(this.#end);
        this.#add(sign, from, to);
        this.#close(to);
      }
    } else if (sign === ',') {
      this.#closeProperty();
      this.#add(this.#top ? sign : '⚠', from, to);
    } else {
      const top = this.#top;
      const isExpected = top?.name === 'Property' && !top.hasColon;
      if (isExpected) top.hasColon = true;
      this.#add(isExpected ? sign : '⚠', from, to);
    }
  }

  /** Closes the open nodes at the end of the text, so that a cursor there is inside them. */
  #finish(length: number): Tree {
    this.#closeProperty();
    while (this.#frames.length > 0) this.#close(Math.max(this.#end, length));
    this.parsedPos = length;
    return Tree.build({ buffer: this.#buffer, nodeSet, topID: ID.JsonText, length: Math.max(this.#end, length) });
  }
}

class JsonParser extends Parser {
  createParse(input: Input): PartialParse {
    return new JsonParse(input.read(0, input.length));
  }
}

const data = defineLanguageFacet({ indentOnInput: /^\s*[}\]]$/ });

export const jsonLanguage = new Language(data, new JsonParser(), [], 'json');

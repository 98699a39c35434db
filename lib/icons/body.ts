// Reads the body of an icon: elements of SVG that are paths, basic shapes or groups of them. Everything else is refused, so that
// nothing in a set of icons loads, runs or refers to anything.
import { IconError } from './error.js';

export interface BodyElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly BodyElement[];
}

/** Maximum length of a body, in characters. */
const MAX_BODY_LENGTH = 200_000;
const MAX_ELEMENTS = 1000;
const MAX_DEPTH = 8;

const SHAPES = ['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon'];
const EXPECTED = `${SHAPES.join(', ')} and g`;

const BLANKS = /[ \t\n\r]*/y;
const CLOSING_TAG = /<\/([A-Za-z][\w:.-]*)[ \t\n\r]*>/y;
const TAG_NAME = /<([A-Za-z][\w:.-]*)/y;
const ATTRIBUTE = /[ \t\n\r]+([A-Za-z_][\w:.-]*)[ \t\n\r]*=[ \t\n\r]*(?:"([^"<&]*)"|'([^'<&]*)')/y;
const TAG_END = /[ \t\n\r]*(\/?)>/y;

/** The elements of a body. Throws IconError. */
export function readBody(body: string): BodyElement[] {
  if (body.length > MAX_BODY_LENGTH) {
    throw new IconError(`the body has ${body.length} characters, expected at most ${MAX_BODY_LENGTH}`);
  }
  const root: BodyElement[] = [];
  const open: { readonly name: string; readonly children: BodyElement[] }[] = [{ name: '', children: root }];
  let at = 0;
  let count = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(body);
    if (found) at = pattern.lastIndex;
    return found;
  };
  for (match(BLANKS); at < body.length; match(BLANKS)) {
    const { name: parent, children: siblings } = open[open.length - 1];
    const closing = match(CLOSING_TAG);
    if (closing) {
      if (open.length === 1 || closing[1] !== parent) throw malformed(at);
      open.pop();
      continue;
    }
    const start = match(TAG_NAME);
    if (!start) throw malformed(at);
    const [, name] = start;
    const isGroup = name === 'g';
    if (!isGroup && !SHAPES.includes(name)) throw new IconError(`received <${name}>, expected ${EXPECTED} alone`);
    if (++count > MAX_ELEMENTS) throw new IconError(`the body has more than ${MAX_ELEMENTS} elements`);
    const attributes = new Map<string, string>();
    for (let found = match(ATTRIBUTE); found; found = match(ATTRIBUTE)) attributes.set(found[1], found[2] ?? found[3]);
    const end = match(TAG_END);
    if (!end) throw malformed(at);
    const children: BodyElement[] = [];
    siblings.push({ name, attributes, children });
    if (end[1] === '/') continue;
    if (open.length > MAX_DEPTH) throw new IconError(`the body has more than ${MAX_DEPTH} elements inside each other`);
    open.push({ name, children });
    if (!isGroup) {
      match(BLANKS);
      if (body.startsWith('</', at)) continue;
      throw new IconError(`<${name}> has content, expected none`);
    }
  }
  if (open.length > 1) throw new IconError(`<${open[open.length - 1].name}> is not closed`);
  return root;
}

const malformed = (at: number) => new IconError(`the body is malformed at character ${at + 1}, expected SVG elements`);

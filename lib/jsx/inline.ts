// The text of a block of inline boxes: white space collapses across elements (CSS Text 3 section 4.1), and each piece keeps the
// style of its element.
import type { Box, ElementBox } from './boxes.js';
import type { Style } from './css/style.js';

/** A piece of text in one style. */
export interface StyledText {
  readonly text: string;
  readonly style: Style;
  /** The inline elements that it is in, from the outermost. */
  readonly inside: readonly ElementBox[];
}

/** Whether boxes are parts of a paragraph, without pictures and blocks among them. */
export function areText(boxes: readonly Box[]): boolean {
  return boxes.every(
    (box) =>
      box.kind === 'run' ||
      (box.display === 'inline' && box.node.tag !== 'img' && box.node.tag !== 'svg' && areText(box.children)),
  );
}

/** Whether boxes show nothing but blanks. */
export function areBlank(boxes: readonly Box[]): boolean {
  return boxes.every((box) => box.kind === 'run' && !keepsSpaces(box.style) && /^[ \t\r\n\f]*$/.test(box.text));
}

function keepsSpaces(style: Style): boolean {
  return style.get('whiteSpace') === 'pre' || style.get('whiteSpace') === 'pre-wrap';
}

/** The pieces of a block's text, as they are shown. */
export function textPieces(boxes: readonly Box[]): StyledText[] {
  const pieces = collect(boxes, []);
  const collapsed: StyledText[] = [];
  // a line starts as if a blank came before it
  let isAfterBlank = true;
  for (const piece of pieces) {
    const { style, inside } = piece;
    const whiteSpace = style.get('whiteSpace');
    let text = piece.text.replace(/\r\n?/g, '\n');
    if (inside.at(-1)?.node.tag === 'br') {
      trimEnd(collapsed);
      isAfterBlank = true;
    } else if (!keepsSpaces(style)) {
      text = whiteSpace === 'pre-line' ? text.replace(/[ \t]*\n[ \t]*/g, '\n') : text.replace(/\n/g, ' ');
      text = text.replace(/[ \t\f]+/g, ' ');
      if (isAfterBlank && text.startsWith(' ')) text = text.slice(1);
      if (text !== '') isAfterBlank = /[ \n]$/.test(text);
    } else if (text !== '') isAfterBlank = false;
    if (text !== '') collapsed.push({ text, style, inside });
  }
  trimEnd(collapsed);
  return merged(collapsed);
}

function collect(boxes: readonly Box[], inside: readonly ElementBox[]): StyledText[] {
  return boxes.flatMap((box): StyledText[] => {
    if (box.kind === 'run') return [{ text: box.text, style: box.style, inside }];
    const within = [...inside, box];
    if (box.node.tag === 'br') return [{ text: '\n', style: box.style, inside: within }];
    if (box.node.tag === 'wbr') return [{ text: '\u200b', style: box.style, inside: within }];
    return collect(box.children, within);
  });
}

/** Removes the collapsible blank at the end of a line. */
function trimEnd(pieces: StyledText[]): void {
  const last = pieces.at(-1);
  if (!last || keepsSpaces(last.style) || !last.text.endsWith(' ')) return;
  const text = last.text.slice(0, -1);
  if (text === '') pieces.pop();
  else pieces[pieces.length - 1] = { ...last, text };
}

/** Line breaks in the style of the text before them, which needs no piece of their own. */
function merged(pieces: readonly StyledText[]): StyledText[] {
  const joined: StyledText[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    const isBreak = piece.inside.at(-1)?.node.tag === 'br';
    if (last && (isBreak || (last.style === piece.style && last.inside.at(-1) === piece.inside.at(-1)))) {
      joined[joined.length - 1] = { ...last, text: last.text + piece.text };
    } else joined.push(isBreak ? { ...piece, inside: piece.inside.slice(0, -1) } : piece);
  }
  return joined;
}

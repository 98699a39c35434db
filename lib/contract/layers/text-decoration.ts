// Text decorations: the names of lines, or an object that also has their style.
import * as z from 'zod';
import { fill } from '../css/fill.js';
import { choiceHint } from '../messages/value-hints.js';
import { choice, expectedChoice, expecting, number, record } from '../schema/fields.js';
import { MAX_DETAIL_SIZE } from './shared.js';

const LINES = ['none', 'underline', 'line-through', 'underline line-through'] as const;

const styled = record({
  line: choice(LINES),
  color: fill.optional().describe('the color of the text without it'),
  thickness: number({ min: 0, max: MAX_DETAIL_SIZE })
    .optional()
    .describe("pixels, rounded, at least 1; that of the font's own lines without it"),
  style: choice(['solid', 'double', 'dotted', 'dashed', 'wavy']).default('solid'),
});

export const textDecoration = z.union(
  [choice(LINES), styled],
  expecting(expectedChoice(LINES), (input) => {
    const found = choiceHint(input, LINES);
    return { ...found, text: `${found?.text ?? ''}, or an object such as {"line": "underline", "style": "wavy"}` };
  }),
);

export type TextDecoration = z.output<typeof textDecoration>;
export type StyledDecoration = z.output<typeof styled>;

// HTML to payloads: parsed, cascaded, and translated as element trees are.
import type { CanvasPayload } from '../../contract/payload.js';
import { buildBoxes } from '../boxes.js';
import type { MarkupNode } from '../element.js';
import { checkOptions, type JsxOptions, type JsxResult, rootStyle } from '../index.js';
import { buildLayers } from '../layers/tree.js';
import { MarkupReport } from '../report.js';
import { Cascade } from './cascade.js';
import { parseDocument } from './document.js';
import { readFontFace, type SheetFont, withFontFaces } from './font-face.js';
import { pageOf } from './page.js';
import { parseSheet, type StyleRule } from './style-sheet.js';
import { StyledTree } from './tree.js';

export type HtmlOptions = Omit<JsxOptions, 'defaults'>;

/**
 * Translates HTML with its style sheets to a payload: a document, or a part of one. Elements have the styles of the browsers' own
 * sheet, and the body has no margin: it is the canvas. Nothing is fetched or run.
 * @throws RenderError `render_failed` for markup beyond the bounds, and with `strict` for what is not supported.
 * @example
 * const html = '<style>h1 { color: teal }</style><h1>Hello</h1>';
 * const { payload, warnings } = fromHtml(html, { width: 800, height: 400 });
 * console.log(payload.layers.length, warnings.length); // 1 0
 */
export function fromHtml(html: string, options: HtmlOptions = {}): JsxResult {
  checkOptions(options);
  const { width = 1200, height = 630, strict = false } = options;
  const canvas = { width, height };
  const report = new MarkupReport(strict);
  const { root, sheets } = parseDocument(html, report);
  const rules: StyleRule[] = [];
  const fontFaces: SheetFont[] = [];
  for (const { text, place } of sheets) {
    const sheet = parseSheet(text, { canvas, report, place });
    rules.push(...sheet.rules);
    for (const declarations of sheet.fontFaces) {
      const face = readFontFace(declarations, place, report);
      if (face) fontFaces.push(face);
    }
  }
  const tree = new StyledTree(new Cascade(rules, { canvas, report }), report);
  const nodes: MarkupNode[] = [tree.element(root)];
  const { body: style, boxes } = buildBoxes(nodes, {
    canvas,
    defaults: 'css',
    report,
    root: rootStyle(options),
    cascade: (node) => tree.sources(node),
  });
  const page = pageOf(boxes, style, canvas);
  const layers = withFontFaces(buildLayers(page.boxes, page.style, canvas, report), fontFaces);
  return { payload: { canvas, layers } as unknown as CanvasPayload, warnings: report.warnings };
}

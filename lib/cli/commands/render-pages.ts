// `platen PAYLOAD … -o BOOK.pdf`: a PDF of several payloads, or of one that has `pages`.
import { resolve } from 'node:path';
import { definedFields } from '../../contract/json/defined-fields.js';
import { isObject } from '../../contract/schema/fields.js';
import { isTemplate } from '../../contract/template/record-layers.js';
import type { Renderer, RendererOptions, RenderOptions } from '../../index.js';
import type { PagesPayload, PageWithOptions, PaintedPage } from '../../options.js';
import type { RenderCommand } from '../args.js';
import { replaceFileBy } from '../output-file.js';
import { UsageError } from '../parse-options.js';
import { readPayload } from '../payload.js';
import type { RenderSource } from '../source.js';
import { type CliContext, findingLine, write } from '../stdio.js';

/** Renders the document. Returns a line that describes it. */
export async function renderPages(command: RenderCommand, source: RenderSource, context: CliContext): Promise<string> {
  const { format, output, others = [] } = command;
  if (format !== undefined && format !== 'pdf') throw new UsageError('pages make a PDF: use -o FILE.pdf');
  const { payload, renderer } = source;
  const { variables, size, scale, theme, tokens, locale, alt, signal: _, ...options } = source.options;
  if (alt !== undefined) throw new UsageError('--alt is for one picture: pages have an alt of their own');
  /** A page with the options of the command, which win over its own. */
  const page = (raw: unknown, baseDirectory?: string): PageWithOptions => {
    const { payload: value, ...own } = isObject(raw) && raw.payload !== undefined ? raw : { payload: raw };
    return {
      ...own,
      payload: value as PageWithOptions['payload'],
      ...(isTemplate(value) && definedFields({ variables, size })),
      ...definedFields({ scale, theme, tokens, locale, baseDirectory }),
    };
  };
  const further = await Promise.all(others.map((other) => readPayload(other, context)));
  const written = payload as unknown as PagesPayload;
  const document =
    further.length > 0
      ? {
          pages: [
            page(payload, options.baseDirectory),
            ...further.map(({ value, baseDirectory }) => page(value, baseDirectory)),
          ],
        }
      : { ...written, ...(Array.isArray(written.pages) && { pages: written.pages.map((each) => page(each)) }) };
  return await writeDocument(document, { renderer, options, output, ...command }, context);
}

interface DocumentOutput extends Pick<RenderCommand, 'strict' | 'allow'> {
  readonly renderer: Pick<Renderer, 'renderDocument'>;
  readonly options: RendererOptions & Pick<RenderOptions, 'signal'>;
  /** Output path; standard output when absent. */
  readonly output: string | undefined;
}

/** Renders a document to a file or standard output. Returns a line that describes it. */
export async function writeDocument(
  document: PagesPayload,
  { renderer, options, output, strict, allow }: DocumentOutput,
  context: CliContext,
): Promise<string> {
  const started = performance.now();
  const painted: PaintedPage[] = [];
  const signal = context.interrupt?.() ?? context.signal;
  const stream = renderer.renderDocument(document, {
    ...options,
    ...definedFields({ strict, allow, signal }),
    onPage: (page) => void painted.push(page),
  });
  const chunks = stream as unknown as AsyncIterable<Uint8Array>;
  let length = 0;
  if (output !== undefined) length = await replaceFileBy(resolve(context.directory, output), chunks);
  else {
    for await (const chunk of chunks) {
      await write(context.output, chunk);
      length += chunk.length;
    }
  }
  for (const { warnings } of painted) {
    for (const warning of warnings) await write(context.errors, findingLine('warning', warning));
  }
  const pages = painted.reduce((sum, page) => sum + page.pages, 0);
  const milliseconds = Math.round(performance.now() - started);
  return `${output ?? 'document'}: ${pages} pages, ${length} bytes, ${milliseconds} ms\n`;
}

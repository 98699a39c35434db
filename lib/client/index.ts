// The client of the service, `platen/client`: typed calls with retries. It runs wherever there is a fetch, and has no imports.
import type { AssetAnswer } from '../contract/api/assets.js';
import type { BrandAnswer, BrandInput } from '../contract/api/brand.js';
import type { FontList } from '../contract/api/fonts.js';
import type { InspectAnswer } from '../contract/api/inspection.js';
import type { RenderLogEntry } from '../contract/api/renders.js';
import type { TemplateAnswer, TemplateSummary, VersionAnswer, VersionSummary } from '../contract/api/templates.js';
import type { WorkspaceAnswer } from '../contract/api/workspace.js';
import type { CanvasPayload, DocumentInput, Template, TemplateRequest } from '../contract/payload.js';
import { renderBatch } from './batch.js';
import { PlatenError } from './error.js';
import { type Call, createTransport, type ServerAnswer } from './request.js';
import type {
  BatchOptions,
  BatchPayload,
  CallOptions,
  ClientOptions,
  KnownTemplate,
  List,
  ListOptions,
  Page,
  RenderedImage,
  RenderedJson,
  RenderFilter,
  RenderOptions,
  SaveOptions,
  WriteOptions,
} from './types.js';

export type { AssetAnswer as Asset } from '../contract/api/assets.js';
export type { BatchFailure, BatchSummary } from '../contract/api/batch.js';
export type { BrandAnswer as Brand, BrandInput } from '../contract/api/brand.js';
export type { Font, FontList, FontStyle } from '../contract/api/fonts.js';
export type {
  InspectAnswer,
  InspectedBox,
  InspectedLine,
  Inspection,
  LayerInspection,
} from '../contract/api/inspection.js';
export type { RenderLogEntry } from '../contract/api/renders.js';
export type { Billing, Paywall } from '../contract/api/response.js';
export type {
  TemplateAnswer,
  TemplateHotspot,
  TemplateSummary,
  VersionAnswer as TemplateVersion,
  VersionSummary as TemplateVersionSummary,
} from '../contract/api/templates.js';
export type { WorkspaceAnswer as Workspace } from '../contract/api/workspace.js';
export type { CanvasPayload, Layer, Template, TemplateRequest, Variables, VariableValue } from '../contract/payload.js';
export type { DetailCode, WarningCode } from '../detail-codes.js';
export type { Detail, ErrorCode } from '../errors.js';
export { signImageUrl } from '../links/sign.js';
export { type ClientErrorCode, PlatenError } from './error.js';
export type * from './types.js';

/** The body of a render: a canvas with layers, or a saved template with variables. */
export type RenderPayload = Omit<CanvasPayload, 'responseType'> | Omit<TemplateRequest, 'responseType'>;

/** The body of a render of a document: PDF by default, or SVG; or one whose pages make a PDF. */
export type DocumentPayload = (DocumentPage & { readonly format?: 'pdf' | 'svg' }) | DocumentPages;

/** A canvas with layers, or a saved template with variables. */
type DocumentPage = RenderPayload extends infer Body ? (Body extends unknown ? Omit<Body, 'format'> : never) : never;

/** What a PDF of several pages has once, and its pages: 1 to 500. */
export interface DocumentPages extends DocumentInput, Pick<CanvasPayload, 'metadata'> {
  readonly pages: readonly DocumentPage[];
}

/** A call that renders: to bytes, or to the service's JSON. */
export interface RenderCall<Payload> {
  (payload: Payload, callOptions?: RenderOptions & { responseType?: 'binary' }): Promise<RenderedImage>;
  (payload: Payload, callOptions: RenderOptions & { responseType: 'json' }): Promise<RenderedJson>;
}

export type Client = ReturnType<typeof createClient>;

const id = encodeURIComponent;

/** The entity tag of a template that the caller has, or of its version alone. */
function tag(known: KnownTemplate | undefined): string | undefined {
  if (known === undefined) return undefined;
  return typeof known === 'number' ? `"${known}"` : `"${known.version}.${known.publishedVersion ?? 0}"`;
}

/**
 * A client of the service: typed calls, with retries of those that are safe to repeat.
 * @throws PlatenError `invalid_request` for a bad option.
 * @example
 * const client = createClient({ baseUrl: 'https://images.example.com', apiKey: 'svc_live_…' });
 * const { bytes } = await client.render({ templateId: 'card', variables: { title: 'Hello' } });
 */
export function createClient(options: ClientOptions) {
  const transport = createTransport(options);
  const { send } = transport;

  async function json<Result>(call: Call, callOptions?: CallOptions): Promise<Result> {
    return parse(await send(call, callOptions));
  }
  const get = <Result>(path: string, callOptions?: CallOptions) =>
    json<Result>({ method: 'GET', path, isRepeatable: true }, callOptions);

  function list<Item>(
    path: string,
    { limit, cursor, ...callOptions }: ListOptions = {},
    query: Call['query'] = {},
  ): List<Item> {
    const page = (from = cursor) =>
      json<Page<Item>>(
        { method: 'GET', path, query: { ...query, limit, cursor: from }, isRepeatable: true },
        callOptions,
      );
    async function* pages() {
      for (let from: string | null | undefined = cursor; from !== null; ) {
        const next: Page<Item> = await page(from);
        yield next;
        // a proxy that drops fields must not make this a loop without end
        from = next.nextCursor ?? null;
      }
    }
    async function* items() {
      for await (const { items } of pages()) yield* items;
    }
    return { page: () => page(), pages, [Symbol.asyncIterator]: items };
  }

  /** A write of a template. Writes that make a version are not repeatable: the version would be made twice. */
  function write(call: Omit<Call, 'query' | 'headers'>, { publish, ifMatch, ...callOptions }: SaveOptions) {
    return json<TemplateAnswer>({ ...call, query: { publish }, headers: { 'If-Match': tag(ifMatch) } }, callOptions);
  }

  async function renderAt(
    path: string,
    payload: RenderPayload | DocumentPayload,
    { responseType = 'binary', idempotencyKey = randomKey(), ...callOptions }: RenderOptions = {},
  ): Promise<RenderedImage | RenderedJson> {
    const call: Call = {
      method: 'POST',
      path,
      json: { ...payload, responseType },
      headers: { 'Idempotency-Key': idempotencyKey },
      isRepeatable: true,
    };
    const answer = await send(call, callOptions);
    if (responseType === 'binary') return imageOf(answer);
    return { ...parse<RenderedJson>(answer), replayed: isReplayed(answer) };
  }
  const render = ((payload, callOptions) => renderAt('/v1/render', payload, callOptions)) as RenderCall<RenderPayload>;
  const renderDocument = ((payload, callOptions) =>
    renderAt('/v1/documents', payload, callOptions)) as RenderCall<DocumentPayload>;

  function getTemplate(templateId: string, callOptions?: CallOptions): Promise<TemplateAnswer>;
  /**
   * Gets a template. `ifNoneMatch` is the template that the caller has, or its version; resolves with undefined if it is still
   * the same.
   */
  function getTemplate(
    templateId: string,
    callOptions: CallOptions & { readonly ifNoneMatch: KnownTemplate },
  ): Promise<TemplateAnswer | undefined>;
  async function getTemplate(
    templateId: string,
    { ifNoneMatch, ...callOptions }: CallOptions & { readonly ifNoneMatch?: KnownTemplate } = {},
  ): Promise<TemplateAnswer | undefined> {
    const headers = { 'If-None-Match': tag(ifNoneMatch) };
    const call: Call = { method: 'GET', path: `/v1/templates/${id(templateId)}`, headers, isRepeatable: true };
    const answer = await send(call, callOptions);
    if (answer.status === 304) return undefined;
    const template = parse<TemplateAnswer>(answer);
    // the tag of the service changes with the published version too
    return ifNoneMatch !== undefined && template.version === ifNoneMatch ? undefined : template;
  }

  return {
    /** Says what a render of the payload would draw, without drawing it and without a charge. */
    inspect: (payload: RenderPayload, callOptions?: CallOptions) =>
      json<InspectAnswer>({ method: 'POST', path: '/v1/inspect', json: payload, isRepeatable: true }, callOptions),

    /** Renders one image. Repeats of the call, the client's own included, are charged once. */
    render,
    /** Renders a payload, or several `pages`, to PDF, or with `format: 'svg'` to SVG; the other arguments are those of `render`. */
    renderDocument,

    /**
     * Renders many images. The results come in the order of the rows, as they stream; the generator returns the summary.
     * Nothing is sent before the first one is asked for; a caller that stops early ends the batch. A batch that is cut off is
     * sent again, and no row is charged twice. A row that failed may then come a second time, with its picture.
     */
    batch: (payload: BatchPayload, { idempotencyKey = randomKey(), ...callOptions }: BatchOptions = {}) =>
      renderBatch(transport, payload, { idempotencyKey, ...callOptions }),

    templates: {
      list: (callOptions?: ListOptions) => list<TemplateSummary>('/v1/templates', callOptions),
      get: getTemplate,
      create: (record: Template, callOptions: Omit<SaveOptions, 'ifMatch'> = {}) =>
        write({ method: 'POST', path: '/v1/templates', json: record, isRepeatable: false }, callOptions),
      replace: (templateId: string, record: Template, callOptions: SaveOptions = {}) =>
        write(
          { method: 'PUT', path: `/v1/templates/${id(templateId)}`, json: record, isRepeatable: false },
          callOptions,
        ),
      delete: async (templateId: string, { ifMatch, ...callOptions }: WriteOptions = {}): Promise<void> => {
        const path = `/v1/templates/${id(templateId)}`;
        await send({ method: 'DELETE', path, headers: { 'If-Match': tag(ifMatch) }, isRepeatable: true }, callOptions);
      },
      /** Gets the JSON Schema of its variables. */
      schema: (templateId: string, callOptions?: CallOptions) =>
        get<Readonly<Record<string, unknown>>>(`/v1/templates/${id(templateId)}/schema`, callOptions),
      versions: (templateId: string, callOptions?: ListOptions) =>
        list<VersionSummary>(`/v1/templates/${id(templateId)}/versions`, callOptions),
      version: (templateId: string, version: number, callOptions?: CallOptions) =>
        get<VersionAnswer>(`/v1/templates/${id(templateId)}/versions/${version}`, callOptions),
      /** Makes a new version that equals an old one. */
      restore: (templateId: string, version: number, callOptions: SaveOptions = {}) => {
        const path = `/v1/templates/${id(templateId)}/restore`;
        return write({ method: 'POST', path, json: { version }, isRepeatable: false }, callOptions);
      },
      /** Makes renders use this version. */
      publish: (templateId: string, version: number, callOptions: WriteOptions = {}) => {
        const path = `/v1/templates/${id(templateId)}/publish`;
        return write({ method: 'POST', path, json: { version }, isRepeatable: true }, callOptions);
      },
    },

    renders: {
      list: ({
        status,
        templateId,
        keyId,
        from,
        to,
        metadata = {},
        ...callOptions
      }: ListOptions & RenderFilter = {}) => {
        const fields = Object.entries(metadata).map(([name, value]) => [`metadata.${name}`, value]);
        const query = { status, templateId, keyId, from, to, ...Object.fromEntries(fields) };
        return list<RenderLogEntry>('/v1/renders', callOptions, query);
      },
      get: (renderId: string, callOptions?: CallOptions) =>
        get<RenderLogEntry>(`/v1/renders/${id(renderId)}`, callOptions),
    },

    assets: {
      /** Adds a picture or a font. The same bytes again give the same asset. */
      add: (file: NonNullable<Call['file']>, callOptions?: CallOptions) =>
        json<AssetAnswer>({ method: 'POST', path: '/v1/assets', file, isRepeatable: true }, callOptions),
      list: (callOptions?: ListOptions) => list<AssetAnswer>('/v1/assets', callOptions),
      get: (assetId: string, callOptions?: CallOptions) => get<AssetAnswer>(`/v1/assets/${id(assetId)}`, callOptions),
      /** `force` deletes it although templates name it. */
      delete: async (
        assetId: string,
        { force, ...callOptions }: CallOptions & { readonly force?: boolean } = {},
      ): Promise<void> => {
        const path = `/v1/assets/${id(assetId)}`;
        await send({ method: 'DELETE', path, query: { force }, isRepeatable: true }, callOptions);
      },
    },

    brand: {
      /** Gets the brand; version 0 has nothing in it. */
      get: (callOptions?: CallOptions) => get<BrandAnswer>('/v1/brand', callOptions),
      /** Saves the next version, which renders take from now on. `ifMatch` is the version that must be the latest. */
      replace: (
        brand: BrandInput,
        { ifMatch, ...callOptions }: CallOptions & { readonly ifMatch?: number | undefined } = {},
      ) => {
        const headers = { 'If-Match': tag(ifMatch) };
        return json<BrandAnswer>(
          { method: 'PUT', path: '/v1/brand', json: brand, headers, isRepeatable: false },
          callOptions,
        );
      },
    },

    /** The families that texts may name: the bundled ones, then those of the workspace. */
    fonts: (callOptions?: CallOptions) => get<FontList>('/v1/fonts', callOptions),

    /** The workspace of the key: its credits and limits. */
    workspace: (callOptions?: CallOptions) => get<WorkspaceAnswer>('/v1/workspace', callOptions),
  };
}

function parse<Result>({ status, headers, bytes }: ServerAnswer): Result {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw unexpectedAnswer({ status, headers }, 'what is no JSON', cause);
  }
}

function unexpectedAnswer(
  { status, headers }: Pick<ServerAnswer, 'status' | 'headers'>,
  received: string,
  cause?: unknown,
): PlatenError {
  const requestId = headers.get('X-Request-Id') ?? undefined;
  const fields = { status, code: 'unexpected_answer', requestId, cause } as const;
  return new PlatenError(`the server answered ${status} with ${received}`, fields);
}

/** 128 random bits. crypto.randomUUID is missing on pages without TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function isReplayed({ headers }: ServerAnswer): boolean {
  return headers.get('Idempotency-Replayed') === 'true';
}

function imageOf(answer: ServerAnswer): RenderedImage {
  const { headers, bytes } = answer;
  const text = (name: string) => headers.get(name) ?? undefined;
  const number = (name: string) => Number(headers.get(name) ?? 0);
  const mimeType = text('Content-Type') ?? '';
  const format = mimeType.replace(/^(?:image|application)\//, '').replace('svg+xml', 'svg') as RenderedImage['format'];
  // a proxy's page with status 200
  if (!mimeType.startsWith('image/') && format !== 'pdf')
    throw unexpectedAnswer(answer, `${mimeType || 'no type'} instead of an image`);
  return {
    bytes,
    mimeType,
    format,
    ...(headers.has('X-Service-Pages') && { pages: number('X-Service-Pages') }),
    width: number('X-Canvas-Width'),
    height: number('X-Canvas-Height'),
    alt: decodeURIComponent(text('X-Service-Alt') ?? ''),
    durationMs: number('X-Render-Duration-Ms'),
    watermarked: text('X-Service-Watermark') === 'true',
    creditsRemaining: number('X-Service-Credits-Remaining'),
    rendersRemaining: number('X-Service-Renders-Remaining'),
    warnings: number('X-Service-Warnings'),
    renderId: text('X-Service-Render-Id'),
    sha256: text('ETag')?.replace(/^(?:W\/)?"(.*)"$/, '$1'),
    replayed: isReplayed(answer),
    requestId: text('X-Request-Id'),
  };
}

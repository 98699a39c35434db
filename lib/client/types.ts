// The types of the client's options and results. Those of bodies and answers are inferred from the service's schemas.
import type { BatchFailure, BatchPicture } from '../contract/api/batch.js';
import type { RenderResponse } from '../contract/api/response.js';
import type { CanvasPayload, TemplateRequest, Variables } from '../contract/payload.js';

export interface ClientOptions {
  /** The address of the server, such as `https://images.example.com`. */
  readonly baseUrl: string | URL;
  readonly apiKey: string;
  /** The fetch of the platform by default. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Further attempts of a call after failures that may pass; 3 by default. */
  readonly retries?: number;
  /** Milliseconds for a call, its retries included; 120,000 by default. */
  readonly timeoutMs?: number;
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides the client's number of retries. */
  readonly retries?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface RenderOptions extends CallOptions {
  /** `binary` by default: the picture's bytes. `json`: base64, billing and all warnings. */
  readonly responseType?: 'binary' | 'json';
  /** Names the render, so that it is charged once in 24 hours. By default each call has a new one for its attempts. */
  readonly idempotencyKey?: string | undefined;
}

/** A rendered picture or document. */
export interface RenderedImage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mimeType: string;
  /** The pages of a document. */
  readonly pages?: number;
  readonly format: RenderResponse['format'];
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /**
   * What the picture shows, for the `alt` of an `<img>`; empty for decoration, and if it is more than 4 KiB percent-encoded:
   * `responseType: 'json'` has it then, too.
   */
  readonly alt: string;
  /** Render time on the server. */
  readonly durationMs: number;
  readonly watermarked: boolean;
  readonly creditsRemaining: number;
  readonly rendersRemaining: number;
  /** Number of warnings; `responseType: 'json'` gives them in full. */
  readonly warnings: number;
  /** Id of the entry in the render log. */
  readonly renderId: string | undefined;
  /** SHA-256 of the bytes, base64url. */
  readonly sha256: string | undefined;
  /** Whether an earlier request with the same key was charged, so that this one was not. */
  readonly replayed: boolean;
  readonly requestId: string | undefined;
}

export type RenderedJson = RenderResponse & { readonly replayed: boolean };

/** Fields that all rows of a batch share. */
export interface BatchTemplate
  extends BatchOutput,
    Pick<TemplateRequest, 'templateId' | 'templateVersion' | 'quality' | 'dpi' | 'lossless' | 'size' | 'scale'>,
    Pick<TemplateRequest, 'theme' | 'locale'> {}

/** What the rows of a batch become. */
export interface BatchOutput {
  /** `document`: an SVG or a PDF for each row. By default, pictures. */
  readonly output?: 'render' | 'document' | undefined;
  /** By default `png`, or `pdf` for documents. Items may name their own. */
  readonly format?: TemplateRequest['format'] | 'svg' | 'pdf' | undefined;
}

/** A row of a batch: values that fill the template for one picture. */
export interface BatchRow extends Pick<TemplateRequest, 'metadata' | 'size' | 'theme' | 'locale'> {
  readonly variables: Variables;
  /** Names the picture in the answer; the number of the row, from 1, by default. */
  readonly name?: string;
}

/** A complete request among the items of a batch. */
export type BatchItem = (
  | Omit<CanvasPayload, 'responseType' | 'format'>
  | Omit<TemplateRequest, 'responseType' | 'format'>
) &
  Pick<BatchOutput, 'format'> & { readonly name?: string };

/** Rows of one template, as objects or as a CSV whose first line names the variables; or items of any kind. 1 to 1,000. */
export type BatchPayload =
  | (BatchTemplate & Pick<TemplateRequest, 'tokens'> & { readonly rows: readonly BatchRow[] })
  | (BatchTemplate & { readonly csv: string })
  | (BatchOutput & {
      readonly items: readonly BatchItem[];
      readonly quality?: number;
    });

export interface BatchOptions extends Omit<CallOptions, 'timeoutMs'> {
  /** Names the batch, so that its rows are charged once in 24 hours. By default each call has a new one for its attempts. */
  readonly idempotencyKey?: string | undefined;
  /** Milliseconds without anything new from the server, instead of the client's. */
  readonly timeoutMs?: number | undefined;
}

/** The result of a row: a picture, or the error. */
export type BatchResult = (Omit<BatchPicture, 'base64'> & { readonly bytes: Uint8Array<ArrayBuffer> }) | BatchFailure;

/** Options of a list. */
export interface ListOptions extends CallOptions {
  /** Entries of one page, 1 to 200; 50 by default. */
  readonly limit?: number | undefined;
  /** `nextCursor` of an earlier page, to go on from there. */
  readonly cursor?: string | undefined;
}

export interface RenderFilter {
  readonly status?: 'ok' | 'failed' | undefined;
  readonly templateId?: string | undefined;
  readonly keyId?: string | undefined;
  /** Inclusive; text is ISO 8601. */
  readonly from?: string | Date | undefined;
  /** Exclusive. */
  readonly to?: string | Date | undefined;
  /** Values of fields of the metadata, compared as text. */
  readonly metadata?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/** A template that was read before, or its version alone, whichever version is published. */
export type KnownTemplate = number | { readonly version: number; readonly publishedVersion: number | null };

export interface WriteOptions extends CallOptions {
  /**
   * The template as the caller has it, or the version that must be the latest; otherwise the call fails with
   * `version_conflict`.
   */
  readonly ifMatch?: KnownTemplate | undefined;
}

export interface SaveOptions extends WriteOptions {
  /** Whether renders use the new version from now on; true by default. */
  readonly publish?: boolean | undefined;
}

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Null after the last page. */
  readonly nextCursor: string | null;
}

/** A list of the service, newest first. Nothing is asked for until it is read. Its iteration follows the pages. */
export interface List<Item> extends AsyncIterable<Item> {
  /** The first page, with its cursor. */
  page(): Promise<Page<Item>>;
  pages(): AsyncIterable<Page<Item>>;
}

// Findings: measured faults of a design that is laid out. Without zod: render processes and pages use it.

/** The codes of findings, in the order of docs/findings.md. */
export const FINDING_CODES = [
  'text_overflow',
  'text_clipped',
  'text_too_small',
  'low_contrast',
  'overlap',
  'covered',
  'off_canvas',
  'unsafe_area',
  'image_stretched',
  'image_upscaled',
  'image_cut',
  'misaligned',
  'uneven_spacing',
  'widow',
  'many_fonts',
  'code_unreadable',
  'missing_glyphs',
  'unused_variable',
  'empty_layer',
] as const;

export type FindingCode = (typeof FINDING_CODES)[number];

/** The severities, the worst first. `error`: content is lost or can't be read. */
export const SEVERITIES = ['error', 'warning', 'info'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** The platforms whose margins `safeArea` names. */
export const SAFE_AREAS = [
  'instagram-story',
  'instagram-reel',
  'facebook-story',
  'tiktok',
  'youtube-short',
  'youtube-banner',
] as const;

export type SafeAreaName = (typeof SAFE_AREAS)[number];

/** Bounds of `minReadable`, in pixels of the payload. */
export const MAX_MIN_READABLE = 1000;

/** Maximum findings of one inspection. */
export const MAX_FINDINGS = 100;

/** An operation of JSON Patch (RFC 6902). */
export type FixOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move'; readonly from: string; readonly path: string };

/** A measured fault of the design. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** A layer or its field, or `variables.NAME`, as in warnings. */
  readonly path: string;
  readonly message: string;
  /** What was measured. */
  readonly value?: number | string;
  /** What it is compared with. */
  readonly limit?: number | string;
  /** A JSON Patch of the payload or record that was inspected; it removes the finding and brings no other. */
  readonly fix?: readonly FixOperation[];
}

/** What findings are measured by. */
export interface FindingOptions {
  /**
   * The smallest readable size of text, in pixels of the payload; by default 1.6 % of the shorter side, at least 9 and at most
   * 20, and 8 in documents.
   */
  readonly minReadable?: number;
  /** The platform whose margins texts and codes keep free; none by default. */
  readonly safeArea?: SafeAreaName;
  /** Codes that are left out. */
  readonly ignore?: readonly FindingCode[];
}

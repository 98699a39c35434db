// What is reported about the layers of a scene: warnings and failures at the places of their fields, and codes to read back.

import type { Layer, TextLayer } from '../contract/layers/index.js';
import { type LayerOrigin, type LayerPlace, locateIssue, locateLayer, originOf } from '../contract/origins.js';
import type { DetailCode, WarningCode } from '../detail-codes.js';
import { type Detail, detailCodeOf, isWasmTrap, RenderError, type Warning } from '../errors.js';
import type { PaintedCode } from '../layers/codes/painted-code.js';
import type { Space } from '../layers/frame.js';
import { layerCarets } from '../layers/text/carets.js';
import type { LayerText } from '../layers/text/layer-text.js';
import type { Locate } from '../stage-budget.js';
import type { InspectedLayer, InspectedText, Inspection, TextCarets } from './inspected.js';
import { isEqual } from './is-equal.js';

/** A code that is read back from the finished picture. */
interface ReadableCode {
  /** Undefined when the layer's box is empty. */
  readonly code: PaintedCode | undefined;
  /** Whether a problem fails the render. */
  readonly isRequired: boolean;
}

/** A code, and where its problem is reported. */
export interface CodeToVerify extends ReadableCode {
  warn(message: string): void;
  locate(message: string): Detail;
}

export interface Failure {
  readonly detail: Detail;
  readonly error: RenderError;
}

/** Plain data, so that a text that is kept from draw to draw keeps nothing else of the draw that it is from. */
interface LaidOutText {
  readonly layer: TextLayer;
  readonly space: Space;
  readonly text: LayerText;
}

/** What is reported about one layer, by field. */
export class Report {
  private warnings: Warning[] = [];
  private readonly failures: Failure[] = [];
  private readonly nested: Report[] = [];
  private code: ReadableCode | undefined;
  /** What is wrong with the code as it was read back. */
  private readonly misread: Warning[] = [];
  private inspection: Inspection | undefined;
  private inspectedText: InspectedText | undefined;
  private text: LaidOutText | undefined;

  /**
   * `mode`: how codes are read back when that is not up to each layer. `place`: the path of the layer in the one that `origin`
   * is of, with a dot after it; '' for that one.
   */
  constructor(
    private readonly layer: Layer,
    private readonly origin: LayerOrigin,
    private readonly mode: 'off' | 'warn' | undefined,
    private readonly place = '',
  ) {}

  /** `field`: '' for the layer as a whole. */
  locate<Code extends DetailCode>(field: string, message: string, code: Code): Detail<Code> {
    const { id } = this.layer;
    const at = field === '' ? this.place.slice(0, -1) : this.place + field;
    return { ...locateIssue(this.origin, at, message, code), ...(id !== undefined && { layerId: id }) };
  }

  /** The place of a field for the limit of a stage's time. */
  locateStage(field: string): Locate {
    return (message) => this.locate(field, message, 'render_timeout');
  }

  warn(field: string, message: string, code: WarningCode): void {
    this.warnings.push(this.locate(field, message, code));
  }

  /** The layer can't be painted. Loading continues, so that one error names everything that is missing. */
  fail(field: string, error: RenderError): void {
    this.failures.push({ detail: this.locate(field, error.message, detailCodeOf(error)), error });
  }

  /** `own`: of the layer. */
  verify(code: PaintedCode | undefined, own: 'off' | 'warn' | 'error'): void {
    const mode = this.mode ?? own;
    if (mode !== 'off') this.code = { code, isRequired: mode === 'error' };
  }

  /** The report about layer `index` of the group. */
  of(layer: Layer, index: number): Report {
    this.nested[index] ??= new Report(layer, this.origin, this.mode, `${this.place}layers[${index}].`);
    return this.nested[index];
  }

  /** Notes what became of the layer. */
  inspect(found: Inspection): void {
    this.inspection = found;
  }

  inspectText(found: InspectedText): void {
    this.inspectedText = found;
  }

  /** The text whose carets may be asked for. */
  keepText(text: LaidOutText): void {
    this.text = text;
  }

  /** Whether another report locates the fields of its layer as this one does. */
  isPlacedAs(other: Report): boolean {
    return isEqual(originOf(this.origin, this.place), originOf(other.origin, other.place));
  }

  /** Takes what another report says about the layer, which was prepared for it, without the layers in it. */
  adopt({ warnings, code, inspection, inspectedText, text }: Report): void {
    this.warnings = warnings;
    this.code = code;
    this.inspection = inspection;
    this.inspectedText = inspectedText;
    this.text = text;
  }

  /** The places of the layer, in the payload and in the record. */
  private get layerPlace(): LayerPlace {
    return locateLayer(this.origin, this.place.slice(0, -1));
  }

  /** The carets of the text at `path`, in messages or in the record, if it is the layer or in it. */
  findCarets(path: string): TextCarets | undefined {
    const place = this.text && this.layerPlace;
    if (place?.path === path || place?.recordPath === path) return this.caretsAt(place);
    for (const report of this.nested) {
      const found = report.findCarets(path);
      if (found) return found;
    }
    return undefined;
  }

  private caretsAt({ path, recordPath, filled }: LayerPlace): TextCarets | undefined {
    if (!this.text) return undefined;
    const found = layerCarets(this.text.layer, this.text.space, this.text.text);
    const isOwn = recordPath !== undefined && !filled.some((field) => /^(?:text|spans)\b/.test(field));
    return { path, ...(recordPath !== undefined && { recordPath }), ...found, isEditable: found.isEditable && isOwn };
  }

  /** What became of the layer and of the layers in it, in drawing order. */
  allInspected(): InspectedLayer[] {
    const nested = this.nested.flatMap((report) => report.allInspected());
    if (!this.inspection) return nested;
    const { id, type } = this.layer;
    const { path, recordPath, key } = this.layerPlace;
    const found: InspectedLayer = {
      path,
      ...(recordPath !== undefined && { recordPath }),
      ...(id !== undefined && { id }),
      ...(key !== undefined && { key }),
      type,
      ...this.inspection,
      ...this.inspectedText,
    };
    return [found, ...nested];
  }

  /** The warnings about the layer and the layers in it, in drawing order. */
  allWarnings(): Warning[] {
    return [...this.warnings, ...this.misread, ...this.nested.flatMap((report) => report.allWarnings())];
  }

  /** The codes of the layer and of the layers in it that are to be read back, in drawing order. */
  allCodes(): CodeToVerify[] {
    const nested = this.nested.flatMap((report) => report.allCodes());
    if (!this.code) return nested;
    const locate = (message: string) => this.locate('data', message, 'code_unreadable');
    return [{ ...this.code, locate, warn: (message) => this.misread.push(locate(message)) }, ...nested];
  }

  allFailures(): Failure[] {
    return [...this.failures, ...this.nested.flatMap((report) => report.allFailures())];
  }
}

export function throwFailures(failures: readonly Failure[]): void {
  const [first] = failures;
  if (!first) return;
  const { code } = (failures.find(({ error }) => error.code === 'render_failed') ?? first).error;
  const details = failures.map(({ detail }) => detail);
  // a process in which WebAssembly has trapped is replaced: pass the trap on as the cause
  const trap = failures.map(({ error }) => error.cause).find((cause) => isWasmTrap(cause));
  throw new RenderError(code, `${first.detail.path}: ${first.detail.message}`, { details, cause: trap });
}

/** Text fails only when it is laid out: adds the layer's location to the error, as for loading errors. */
export function withLocation<Result>(
  prepare: () => Result,
  locate: (message: string, code: DetailCode) => Detail,
): Result {
  try {
    return prepare();
  } catch (error) {
    if (!(error instanceof RenderError) || error.details.length > 0) throw error;
    const detail = locate(error.message, detailCodeOf(error));
    throw new RenderError(error.code, `${detail.path}: ${detail.message}`, { details: [detail], cause: error.cause });
  }
}

// Collects findings about the layers of a scene: warnings and failures with the paths of their fields, and codes to read back.

import type { Layer, TextLayer } from '../contract/layers/index.js';
import type { FieldIssue } from '../contract/messages/issues.js';
import { type LayerOrigin, type LayerPlace, locateIssue, locateLayer, originOf } from '../contract/messages/origins.js';
import type { DetailCode, WarningCode } from '../detail-codes.js';
import { type Detail, detailCodeOf, isWasmTrap, RenderError, type Warning } from '../errors.js';
import type { MeasuredLayer, MeasuredParts } from '../findings/measured.js';
import type { PaintedCode } from '../layers/codes/painted-code.js';
import type { Frame } from '../layers/frame.js';
import { layerCarets } from '../layers/text/carets.js';
import type { LayerText } from '../layers/text/layer-text.js';
import type { Locate } from '../stage-budget.js';
import type { InspectedLayer, InspectedText, SceneInspection, TextCarets } from './inspected.js';
import { isEqual } from './is-equal.js';

/** A code that is read back from the finished picture. */
interface ReadableCode {
  /** Undefined when the layer's box is empty. */
  readonly code: PaintedCode | undefined;
  /** Whether an unreadable code fails the render. */
  readonly isRequired: boolean;
}

/** A code, and the functions that report it as unreadable. */
export interface CodeToVerify extends ReadableCode {
  warn(message: string): void;
  locate(message: string): Detail;
}

export interface LayerFailure {
  readonly detail: Detail;
  readonly error: RenderError;
}

/** Holds plain data, so that a text retained between draws keeps nothing else of its draw alive. */
interface LaidOutText {
  readonly layer: TextLayer;
  readonly frame: Frame;
  readonly text: LayerText;
}

/** Collects the findings about one layer, by field. */
export class Report {
  private warnings: Warning[] = [];
  private readonly failures: LayerFailure[] = [];
  private readonly nested: Report[] = [];
  private code: ReadableCode | undefined;
  /** Warnings about the code after it was read back. */
  private readonly misread: Warning[] = [];
  private inspection: SceneInspection | undefined;
  private inspectedText: InspectedText | undefined;
  private text: LaidOutText | undefined;
  private measured: MeasuredParts = {};

  /**
   * `mode` overrides each layer's own setting for reading codes back. `place` is the layer's path within the layer that
   * `origin` describes, with a dot at its end; '' for that layer itself.
   */
  constructor(
    private readonly layer: Layer,
    private readonly origin: LayerOrigin,
    private readonly mode: 'off' | 'warn' | undefined,
    private readonly place = '',
  ) {}

  /** Locates an issue of a field of the layer; '' stands for the layer as a whole. */
  locate<Code extends DetailCode>(found: FieldIssue<Code>): Detail<Code> {
    const { id } = this.layer;
    const field = found.field === '' ? this.place.slice(0, -1) : this.place + found.field;
    return { ...locateIssue(this.origin, { ...found, field }), ...(id !== undefined && { layerId: id }) };
  }

  /** Returns the function that locates a field when a stage exceeds its time limit. */
  locateStage(field: string): Locate {
    return (message) => this.locate({ code: 'render_timeout', field, message });
  }

  warn(found: FieldIssue<WarningCode>): void {
    this.warnings.push(this.locate(found));
  }

  /** Records that the layer can't be painted. Loading continues, so that one error names everything that is missing. */
  fail(field: string, error: RenderError): void {
    this.failures.push({ detail: this.locate({ code: detailCodeOf(error), field, message: error.message }), error });
  }

  /** Records a code to read back. `own` is the layer's setting. */
  verify(code: PaintedCode | undefined, own: 'off' | 'warn' | 'error'): void {
    const mode = this.mode ?? own;
    if (mode !== 'off') this.code = { code, isRequired: mode === 'error' };
  }

  /** Creates the report about layer `index` of the group. */
  of(layer: Layer, index: number): Report {
    this.nested[index] ??= new Report(layer, this.origin, this.mode, `${this.place}layers[${index}].`);
    return this.nested[index];
  }

  /** Records the layer's description. */
  inspect(found: SceneInspection): void {
    this.inspection = found;
  }

  inspectText(found: InspectedText): void {
    this.inspectedText = found;
  }

  /** Adds to what findings are taken from. */
  measure(parts: MeasuredParts): void {
    this.measured = { ...this.measured, ...parts };
  }

  /** Keeps the text for a later request for its carets. */
  keepText(text: LaidOutText): void {
    this.text = text;
  }

  /** Whether another report locates the fields of its layer in the same places. */
  isPlacedAs(other: Report): boolean {
    return isEqual(originOf(this.origin, this.place), originOf(other.origin, other.place));
  }

  /** Takes over another report's findings about the layer, which was prepared for it, without those about nested layers. */
  adopt({ warnings, code, inspection, inspectedText, text }: Report): void {
    this.warnings = warnings;
    this.code = code;
    this.inspection = inspection;
    this.inspectedText = inspectedText;
    this.text = text;
  }

  /** The paths of the layer in the payload and in the record. */
  private get layerPlace(): LayerPlace {
    return locateLayer(this.origin, this.place.slice(0, -1));
  }

  /** Finds the carets of the text at `path`, in messages or in the record, in this layer and its nested layers. */
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
    const found = layerCarets(this.text.layer, this.text.frame, this.text.text);
    const isOwn = recordPath !== undefined && !filled.some((field) => /^(?:text|spans)\b/.test(field));
    return { path, ...(recordPath !== undefined && { recordPath }), ...found, isEditable: found.isEditable && isOwn };
  }

  /** The descriptions of the layer and its nested layers, in drawing order. */
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

  /** The layer and its nested layers, with what was measured of each. */
  allMeasured(): MeasuredLayer {
    const { path, recordPath, key, filled } = this.layerPlace;
    const { layer: written, measured } = this;
    return {
      path,
      recordPath,
      key,
      filled,
      written,
      ...measured,
      layers: this.nested.map((each) => each.allMeasured()),
    };
  }

  /** The warnings about the layer and its nested layers, in drawing order. */
  allWarnings(): Warning[] {
    return [...this.warnings, ...this.misread, ...this.nested.flatMap((report) => report.allWarnings())];
  }

  /** The codes to read back in the layer and its nested layers, in drawing order. */
  allCodes(): CodeToVerify[] {
    const nested = this.nested.flatMap((report) => report.allCodes());
    if (!this.code) return nested;
    const locate = (message: string) => this.locate({ code: 'code_unreadable', field: 'data', message });
    return [{ ...this.code, locate, warn: (message) => this.misread.push(locate(message)) }, ...nested];
  }

  allFailures(): LayerFailure[] {
    return [...this.failures, ...this.nested.flatMap((report) => report.allFailures())];
  }
}

export function throwFailures(failures: readonly LayerFailure[]): void {
  const [first] = failures;
  if (!first) return;
  const { code } = (failures.find(({ error }) => error.code === 'render_failed') ?? first).error;
  const details = failures.map(({ detail }) => detail);
  // a process in which WebAssembly has trapped is replaced: pass the trap on as the cause
  const trap = failures.map(({ error }) => error.cause).find((cause) => isWasmTrap(cause));
  throw new RenderError(code, `${first.detail.path}: ${first.detail.message}`, { details, cause: trap });
}

/** Runs layout of a text and adds the layer's location to its errors, since text fails only when it is laid out. */
export function withLocation<Result>(prepare: () => Result, locate: (found: FieldIssue) => Detail): Result {
  try {
    return prepare();
  } catch (error) {
    if (!(error instanceof RenderError) || error.details.length > 0) throw error;
    const detail = locate({ code: detailCodeOf(error), field: 'text', message: error.message });
    throw new RenderError(error.code, `${detail.path}: ${detail.message}`, { details: [detail], cause: error.cause });
  }
}

// A content stream: the operators of a page or of a group, and the resources that they name (ISO 32000-1, 7.8 and 8).
import { type Affine, compose } from '../geometry/affine.js';
import { CLOSE, COORDINATES, CUBIC, LINE, MOVE, type PathData } from '../geometry/path.js';
import type { FillRule } from '../raster/coverage.js';
import { MarkedContent, type StructureElement } from './structure.js';
import { number, numbers } from './syntax.js';
import { type Ref, refTo } from './writer.js';

export type ResourceKind = 'Font' | 'XObject' | 'ExtGState' | 'Shading';

const PREFIXES: Readonly<Record<ResourceKind, string>> = { Font: 'F', XObject: 'X', ExtGState: 'G', Shading: 'S' };

/** A stream as it is written. */
export interface StreamContent {
  readonly operators: string;
  /** The elements that its marked content belongs to, by its number. */
  readonly owners: readonly StructureElement[];
  /** Graphics states that are saved within each other. */
  readonly states: number;
}

/** What is set in the graphics state of the stream. */
interface State {
  color: string;
  state: string;
}

export class ContentStream {
  private readonly parts: (string | MarkedContent)[] = [];
  /** The marked content that the next operators belong to. */
  private marked: MarkedContent | undefined;
  private readonly resources = new Map<ResourceKind, Map<string, Ref>>();
  /** A group may begin in any colour: that of what contains it. */
  private current: State = { color: '', state: '' };
  private readonly saved: State[] = [];

  get isEmpty(): boolean {
    return this.parts.length === 0;
  }

  add(operators: string): void {
    this.parts.push(operators);
  }

  /** Names an object in the stream's resources. */
  use(kind: ResourceKind, ref: Ref): string {
    let names = this.resources.get(kind);
    if (!names) {
      names = new Map();
      this.resources.set(kind, names);
    }
    const resourceName = PREFIXES[kind] + ref;
    names.set(resourceName, ref);
    return `/${resourceName}`;
  }

  save(): void {
    this.add('q');
    this.saved.push({ ...this.current });
  }

  restore(): void {
    this.add('Q');
    this.current = this.saved.pop()!;
  }

  setColor(operator: string): void {
    if (this.current.color === operator) return;
    this.current.color = operator;
    this.add(operator);
  }

  /** Sets an extended graphics state; `undefined` sets nothing, as at the beginning. */
  setState(ref: Ref | undefined, none: () => Ref): void {
    const key = ref === undefined ? '' : String(ref);
    if (this.current.state === key) return;
    this.current.state = key;
    this.add(`${this.use('ExtGState', ref ?? none())} gs`);
  }

  concat({ a, b, c, d, e, f }: Affine): void {
    this.add(`${numbers([a, b, c, d], 6)} ${numbers([e, f])} cm`);
  }

  /** What is added next belongs to `owner`, or without one is decoration. */
  mark(owner: StructureElement | undefined): void {
    if (this.marked && this.marked.owner === owner) return;
    this.endMark();
    this.marked = new MarkedContent(owner);
    this.parts.push(this.marked);
    owner?.kids.push(this.marked);
  }

  endMark(): void {
    if (this.marked) this.parts.push('EMC');
    this.marked = undefined;
  }

  /** Adds what another stream holds, which expects a graphics state that changes nothing. */
  append(other: ContentStream): void {
    other.endMark();
    this.endMark();
    this.save();
    for (const part of other.parts) this.parts.push(part);
    this.restore();
    for (const [kind, names] of other.resources) for (const ref of names.values()) this.use(kind, ref);
  }

  /** Numbers the marked content. `form`: the object that has the stream, unless that is a page. */
  write(form?: Ref): StreamContent {
    this.endMark();
    const owners: StructureElement[] = [];
    let [states, depth] = [0, 0];
    const operators = this.parts.map((part) => {
      if (part === 'q') states = Math.max(states, ++depth);
      else if (part === 'Q') depth--;
      if (typeof part === 'string') return part;
      if (!part.owner) return '/Artifact BMC';
      part.id = owners.length;
      part.form = form;
      owners.push(part.owner);
      return `/${part.owner.type}<</MCID ${part.id}>>BDC`;
    });
    return { operators: operators.join('\n'), owners, states };
  }

  resourceDictionary(): string {
    const kinds = [...this.resources].map(([kind, names]) => {
      const entries = [...names].map(([resourceName, ref]) => `/${resourceName} ${refTo(ref)}`);
      return `/${kind}<<${entries.join('')}>>`;
    });
    return `/Resources<<${kinds.join('')}>>`;
  }

  path({ verbs, coords }: PathData, map: Affine): void {
    const { a, b, c, d, e, f } = map;
    let at = 0;
    let x = 0;
    let y = 0;
    const point = (i: number) => {
      x = a * coords[i] + c * coords[i + 1] + e;
      y = b * coords[i] + d * coords[i + 1] + f;
      return `${number(x)} ${number(y)}`;
    };
    for (let i = 0; i < verbs.length; i++) {
      const verb = verbs[i];
      if (verb === MOVE) this.add(`${point(at)} m`);
      else if (verb === LINE) this.add(`${point(at)} l`);
      else if (verb === CUBIC) this.add(`${point(at)} ${point(at + 2)} ${point(at + 4)} c`);
      else if (verb === CLOSE) this.add('h');
      else {
        const [x0, y0] = [x, y];
        point(at);
        const [cx, cy] = [x, y];
        const end = point(at + 2);
        const controls = [
          x0 + (2 / 3) * (cx - x0),
          y0 + (2 / 3) * (cy - y0),
          x + (2 / 3) * (cx - x),
          y + (2 / 3) * (cy - y),
        ];
        this.add(`${numbers(controls)} ${end} c`);
      }
      at += COORDINATES[verb];
    }
  }

  /** Clips to the path that was just added. */
  clip(rule: FillRule = 'nonzero'): void {
    this.add(rule === 'evenodd' ? 'W* n' : 'W n');
  }

  fill(rule: FillRule = 'nonzero'): void {
    this.add(rule === 'evenodd' ? 'f*' : 'f');
  }
}

/** The map of a picture's unit square, whose y axis points up, to the canvas. `toCanvas` maps its pixels as stored. */
export function pictureMap(
  { width, height }: { readonly width: number; readonly height: number },
  toCanvas: Affine,
): Affine {
  return compose({ a: width, b: 0, c: 0, d: -height, e: 0, f: height }, toCanvas);
}

// The structure of documents, which assistive technology reads: elements with the content of pages that belongs to them
// (ISO 32000-1, 14.7 and 14.8). The elements of a page are written with it.
import { type Affine, compose, IDENTITY } from '../geometry/affine.js';
import { mapRect, type Rect, unite } from '../geometry/rect.js';
import type { Meaning } from '../paint/target.js';
import { numbers, textString } from './syntax.js';
import { type PdfWriter, type Ref, refTo } from './writer.js';

/** Content between two operators of a stream, which belongs to an element or, without one, is decoration. */
export class MarkedContent {
  /** Its number in the stream, which is known when that is written. */
  id: number | undefined;
  /** The form that has it; none for the content of the page. */
  form: Ref | undefined;

  constructor(readonly owner: StructureElement | undefined) {}
}

/** An annotation that belongs to an element. */
interface AnnotationKid {
  readonly annotation: Ref;
}

export class StructureElement {
  readonly kids: (StructureElement | MarkedContent | AnnotationKid)[] = [];
  ref: Ref | undefined;
  alt: string | undefined;
  language: string | undefined;
  /** The row of a grid that it has the cells of. */
  row: number | undefined;
  /** The part that it is a figure of. */
  figure: Meaning | undefined;

  /** `isLeaf`: whether it has content of the page; what is painted in other elements themselves is decoration. */
  constructor(
    readonly type: string,
    readonly isLeaf: boolean,
  ) {}

  add(type: string, isLeaf: boolean): StructureElement {
    const element = new StructureElement(type, isLeaf);
    this.kids.push(element);
    return element;
  }

  /** The row of a table that the last cell is in, if it is this row of a grid. */
  lastRow(row: number | undefined): StructureElement | undefined {
    const last = this.kids[this.kids.length - 1];
    return row !== undefined && last instanceof StructureElement && last.row === row ? last : undefined;
  }

  get isEmpty(): boolean {
    return this.kids.every((kid) => {
      if (kid instanceof StructureElement) return kid.isEmpty;
      return kid instanceof MarkedContent && kid.id === undefined;
    });
  }
}

/** What is painted belongs to. */
interface Owner {
  readonly element: StructureElement;
  readonly isArtifact: boolean;
}

/** The structure of a document. */
export class DocumentStructure {
  private readonly root: Ref;
  private readonly document: Ref;
  private readonly elements: Ref[] = [];
  /** The elements, or their list, of each stream and annotation by its key. */
  private readonly parents: Ref[] = [];

  /** `hasBoxes`: whether figures say where they lie. */
  constructor(
    readonly writer: PdfWriter,
    readonly hasBoxes = false,
  ) {
    this.root = writer.reserve();
    this.document = writer.reserve();
  }

  beginPage(page: Ref): PageStructure {
    return new PageStructure(this, page, this.document);
  }

  addElement(element: Ref): void {
    this.elements.push(element);
  }

  /** Reserves the key of a stream or annotation. */
  reserveKey(): number {
    return this.parents.push(0) - 1;
  }

  setParent(key: number, ref: Ref): void {
    this.parents[key] = ref;
  }

  /** Writes the tree's root; returns the entries of the catalog. */
  finish(): string {
    const { writer, root, document, elements, parents } = this;
    const tree = writer.add(`<</Nums[${parents.map((ref, key) => `${key} ${refTo(ref)}`).join(' ')}]>>`);
    writer.add(`<</S/Document/P ${refTo(root)}/K[${elements.map(refTo).join(' ')}]>>`, document);
    writer.add(
      `<</Type/StructTreeRoot/K ${refTo(document)}/ParentTree ${refTo(tree)}/ParentTreeNextKey ${parents.length}>>`,
      root,
    );
    return `/MarkInfo<</Marked true>>/StructTreeRoot ${refTo(root)}`;
  }
}

/** The structure of one page, while it is painted. */
export class PageStructure {
  private readonly top = new StructureElement('Document', false);
  private owner: Owner = { element: this.top, isArtifact: false };
  private readonly known = new Map<Meaning, Owner>();
  /** The owners of the marked content of each stream, by its key. */
  private readonly streams: { readonly key: number; readonly owners: readonly StructureElement[] }[] = [];
  private readonly annotations: { readonly key: number; readonly element: StructureElement }[] = [];
  private toPage = IDENTITY;
  private readonly links = new Map<Meaning, StructureElement>();

  constructor(
    private readonly structure: DocumentStructure,
    private readonly page: Ref,
    private readonly document: Ref,
  ) {}

  /** The element that what is painted now belongs to; undefined for decoration. */
  get contentOwner(): StructureElement | undefined {
    const { element, isArtifact } = this.owner;
    return isArtifact || !element.isLeaf ? undefined : element;
  }

  /** Calls `draw`, whose content is that of the part. */
  within(meaning: Meaning, draw: () => void): void {
    const outer = this.owner;
    this.owner = this.known.get(meaning) ?? this.ownerOf(meaning);
    this.known.set(meaning, this.owner);
    try {
      draw();
    } finally {
      this.owner = outer;
    }
  }

  /** Adds the annotation of a link; returns its key. */
  addAnnotation(meaning: Meaning, annotation: Ref): number {
    const element = this.links.get(meaning) ?? this.top.add('Link', true);
    element.kids.push({ annotation });
    const key = this.structure.reserveKey();
    this.annotations.push({ key, element });
    return key;
  }

  /** Adds a stream with marked content, of which these are the owners; returns the entry of its dictionary. */
  addStream(owners: readonly StructureElement[]): string {
    if (owners.length === 0) return '';
    const key = this.structure.reserveKey();
    this.streams.push({ key, owners });
    return `/StructParents ${key}`;
  }

  /** Writes the elements. `toPage` maps pixels of the canvas to the page. */
  finish(toPage: Affine): void {
    const { structure, top, document, streams, annotations } = this;
    this.toPage = toPage;
    for (const kid of top.kids) {
      if (kid instanceof StructureElement && !kid.isEmpty) structure.addElement(this.write(kid, document));
    }
    for (const { key, owners } of streams) {
      structure.setParent(key, structure.writer.add(`[${owners.map(({ ref }) => refTo(ref as Ref)).join(' ')}]`));
    }
    for (const { key, element } of annotations) structure.setParent(key, element.ref as Ref);
  }

  private ownerOf(meaning: Meaning): Owner {
    const { role, alt, href, language, hasLayers, row } = meaning;
    const { owner } = this;
    const isArtifact = owner.isArtifact || role === 'artifact';
    const types = isArtifact ? [] : typesOf(meaning, owner.element);
    if (href !== undefined) types.splice(role === 'figure' ? -1 : types.length, 0, 'Link');
    const isLeaf = !hasLayers || href !== undefined || (role !== undefined && LEAVES.test(role));
    let { element } = owner;
    types.forEach((type, i) => {
      const isRow = type === 'TR';
      // the cells of a grid follow each other
      element = (isRow && element.lastRow(row)) || element.add(type, isLeaf && i === types.length - 1);
      if (isRow) element.row = row;
      if (type === 'Link') this.links.set(meaning, element);
      if (alt && (role === 'figure' ? type === 'Figure' : i === 0)) element.alt = alt;
      if (type === 'Figure') element.figure = meaning;
      if (i === 0) element.language = language;
    });
    return { element, isArtifact };
  }

  private boxOf(figure: Meaning): string {
    const { left, top, right, bottom } = boundsOf(figure, this.toPage);
    return `/A<</O/Layout/BBox[${numbers([left, top, right, bottom])}]>>`;
  }

  private write(element: StructureElement, parent: Ref, isHeader = false): Ref {
    const { writer } = this.structure;
    const ref = writer.reserve();
    element.ref = ref;
    const inside = element.kids.filter((kid) => !(kid instanceof StructureElement && kid.isEmpty));
    const rows = inside.filter((kid) => kid instanceof StructureElement);
    const kids = inside.flatMap((kid, i): string[] => {
      if (kid instanceof StructureElement) {
        // the first of several rows has the heads of the columns
        const isHead = element.type === 'TR' ? isHeader : element.type === 'Table' && i === 0 && rows.length > 1;
        return [refTo(this.write(kid, ref, isHead))];
      }
      if ('annotation' in kid) return [`<</Type/OBJR/Obj ${refTo(kid.annotation)}>>`];
      if (kid.id === undefined) return [];
      return [kid.form === undefined ? `${kid.id}` : `<</Type/MCR/Stm ${refTo(kid.form)}/MCID ${kid.id}>>`];
    });
    const isCell = element.type === 'TD' && isHeader;
    const type = isCell ? 'TH/A<</O/Table/Scope/Column>>' : element.type;
    const page = rows.length < inside.length ? `/Pg ${refTo(this.page)}` : '';
    const alt = element.alt === undefined ? '' : `/Alt${textString(element.alt)}`;
    const language = element.language === undefined ? '' : `/Lang${textString(element.language)}`;
    const box = element.figure && this.structure.hasBoxes ? this.boxOf(element.figure) : '';
    const list = kids.length === 1 ? ` ${kids[0]}` : `[${kids.join(' ')}]`;
    return writer.add(`<</S/${type}/P ${refTo(parent)}${page}${alt}${language}${box}/K${list}>>`, ref);
  }
}

/** Roles whose layers are their content. */
const LEAVES = /^(?:h\d|p|figure)$/;

/** The types of the elements for a part within `parent`, from the outside in. */
function typesOf({ role, hasLayers = false, row }: Meaning, { type, isLeaf }: StructureElement): string[] {
  // the content of a paragraph or link is its own, but for pictures
  if (isLeaf) return role === 'figure' && type !== 'Figure' ? ['Figure'] : [];
  const isPlain = role === undefined || role === 'p' || role === 'listitem';
  const own = isPlain ? [] : ownTypes(role, hasLayers);
  switch (type) {
    case 'L':
      return ['LI', 'LBody', ...own];
    case 'Table':
      return isPlain && hasLayers && role !== 'p' && row === undefined ? ['TR'] : ['TR', 'TD', ...own];
    case 'TR':
      return ['TD', ...own];
    default:
      return role === 'p' || (isPlain && !hasLayers) ? ['P'] : own;
  }
}

function ownTypes(role: NonNullable<Meaning['role']>, hasLayers: boolean): string[] {
  switch (role) {
    case 'list':
      return hasLayers ? ['L'] : ['L', 'LI', 'LBody'];
    case 'table':
      return hasLayers ? ['Table'] : ['Table', 'TR', 'TD'];
    case 'figure':
      return ['Figure'];
    default:
      return [role.toUpperCase()];
  }
}

/** The bounds of a part on the page. */
export function boundsOf(meaning: Meaning, toPage: Affine): Rect {
  return meaning
    .areas()
    .map(({ box, toCanvas }) => mapRect(box, compose(toCanvas, toPage)))
    .reduce(unite);
}

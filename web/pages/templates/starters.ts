// What a new template can start from: nothing, or one of the templates that the package brings along.
import certificate from '../../../data/templates/certificate.json';
import eventCard from '../../../data/templates/event-card.json';
import product from '../../../data/templates/product.json';

/** A template's record, as far as pages look into it. */
export interface TemplateRecord {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

export interface Starter {
  /** Of the option. */
  readonly name: string;
  readonly record: TemplateRecord;
}

const BLANK = {
  name: 'Untitled',
  width: 1200,
  height: 630,
  background: { color: '#ffffff' },
  layers: [],
  hotspots: [],
};

export const STARTERS: readonly Starter[] = [
  { name: 'Blank', record: BLANK },
  ...[eventCard, product, certificate].map((record) => ({ name: record.name, record })),
];

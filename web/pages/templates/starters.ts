// What a new template can start from: nothing, or one of the templates that the package brings along.

/** A template's record, as far as pages look into it. */
export interface TemplateRecord {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

export interface Starter {
  /** Of the option. */
  readonly name: string;
  /** What it is for, in a few words. */
  readonly about: string;
  readonly record: TemplateRecord;
}

export const BLANK: Starter = {
  name: 'Blank',
  about: 'An empty canvas',
  record: {
    name: 'Untitled',
    width: 1200,
    height: 630,
    placeholders: true,
    background: { color: '#ffffff' },
    layers: [],
    hotspots: [],
  } as TemplateRecord,
};

/** Their records are a chunk of their own, which the dialog fetches when it opens. */
export async function loadStarters(): Promise<readonly Starter[]> {
  const { STARTERS } = await import('./starter-records.js');
  return STARTERS;
}

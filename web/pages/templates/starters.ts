// Starting points for a new template: a blank one, or one of the package's templates.

/** The parts of a template's record that pages read. */
export interface TemplateRecord {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

export interface Starter {
  /** Name of the option. */
  readonly name: string;
  /** The template's purpose in a few words. */
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

/** Loads the starters, which are a separate chunk, when the dialog opens. */
export async function loadStarters(): Promise<readonly Starter[]> {
  const { STARTERS } = await import('./starter-records.js');
  return STARTERS;
}

// Names of copies and files of templates, and what such a file holds.

const MAX_NAME_LENGTH = 200;

/** `Card copy`, `Card copy 2`, …: the first that is free. */
export function copyName(name: string, taken: readonly string[]): string {
  const stem = name.replace(/ copy(?: \d+)?$/, '');
  for (let count = 1; ; count++) {
    const ending = count === 1 ? ' copy' : ` copy ${count}`;
    const copy = stem.slice(0, MAX_NAME_LENGTH - ending.length) + ending;
    if (!taken.includes(copy)) return copy;
  }
}

/** The file of a record: the same bytes as of `render templates export`, so that an import of it exports the same again. */
export function exportedText(record: unknown): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

const MAX_FILE_NAME_LENGTH = 80;

/** A name that every file system takes: `Event card – 2027` → `event-card-2027`. */
export function fileName(name: string): string {
  const words = name.toLowerCase().match(/[\p{Letter}\p{Mark}\p{Number}]+/gu) ?? [];
  return words.join('-').slice(0, MAX_FILE_NAME_LENGTH).replace(/-$/, '') || 'template';
}

// Names copies and files of templates, and writes such files.

const MAX_NAME_LENGTH = 200;

/** Returns the first free name of `Card copy`, `Card copy 2`, …. */
export function copyName(name: string, taken: readonly string[]): string {
  const stem = name.replace(/ copy(?: \d+)?$/, '');
  for (let count = 1; ; count++) {
    const ending = count === 1 ? ' copy' : ` copy ${count}`;
    const copy = stem.slice(0, MAX_NAME_LENGTH - ending.length) + ending;
    if (!taken.includes(copy)) return copy;
  }
}

/** Writes a record exactly as `platen templates export` does, so that importing and exporting it gives the same bytes. */
export function exportedText(record: unknown): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

const MAX_FILE_NAME_LENGTH = 80;

/** Returns a name that every file system accepts: `Event card – 2027` → `event-card-2027`. */
export function fileName(name: string): string {
  const words = name.toLowerCase().match(/[\p{Letter}\p{Mark}\p{Number}]+/gu) ?? [];
  return words.join('-').slice(0, MAX_FILE_NAME_LENGTH).replace(/-$/, '') || 'template';
}

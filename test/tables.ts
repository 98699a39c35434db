// The tables of a Markdown page, as tests read them.

/** The rows of the tables under a heading, as their cells. */
export function rowsUnder(page: string, heading: string): string[][] {
  const section = page.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

// Prometheus' text format → samples, for assertions.

/** Series as they are written (`name{label="value"}`) → values. */
export type Samples = ReadonlyMap<string, number>;

export async function scrape(url: string): Promise<{ text: string; samples: Samples }> {
  const text = await (await fetch(url)).text();
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, series, value] = /^([^#\s]\S*(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
    if (series !== undefined) samples.set(series, Number(value));
  }
  return { text, samples };
}

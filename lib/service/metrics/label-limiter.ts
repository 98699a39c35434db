// Limits label values from an open set, such as ids of workspaces. Each value is a time series that the server and Prometheus
// hold for as long as the server runs, so only a limited number keeps its name.

/** The value of what came after the list was full. */
export const OTHER = 'other';

export class LabelLimiter {
  private readonly values = new Set<string>();

  /** The first `max` different values are kept. */
  constructor(private readonly max: number) {}

  /** `value` while it is among the first, else `other`. */
  limit(value: string): string {
    if (this.values.has(value)) return value;
    if (this.values.size >= this.max) return OTHER;
    this.values.add(value);
    return value;
  }
}

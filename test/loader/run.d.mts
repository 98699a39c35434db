export interface FileResult {
  readonly path: string;
  readonly ok: boolean;
  readonly lines: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly ms: number;
}
export function runFiles(
  groups: readonly (readonly string[])[],
  onEnd: (result: FileResult) => void,
  options?: { timeout?: number; environment?: Record<string, string> },
): Promise<void>;
export function choose(files: readonly string[], names: readonly string[]): string[];
export function remarksOf(lines: readonly string[]): string[];
export function totalOf(results: readonly FileResult[]): string;
export function resultsOf(paths: readonly string[], lines: string[], end: number | string | null, ms: number): FileResult[];

export const FULL: Readonly<Record<string, readonly string[]>>;
export function testFiles(folder?: string): string[];
export function isFull(path: string): boolean;
export function leftOut(paths: readonly string[]): string;
export function groupFiles(paths: readonly string[]): Map<string, string[]>;

export function transpile(source: string, path?: string): string;
export function cacheFolder(): string;

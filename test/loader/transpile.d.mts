export function transpile(source: string, path?: string): string;

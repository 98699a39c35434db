// What a window keeps over a reload. Storage may be off or full; then nothing is kept.

export function keepText(key: string, text: string): void {
  try {
    sessionStorage.setItem(`platen.${key}`, text);
  } catch {
    // an older text would come back instead
    forgetText(key);
  }
}

export function keptText(key: string): string | undefined {
  try {
    return sessionStorage.getItem(`platen.${key}`) ?? undefined;
  } catch {
    return undefined;
  }
}

export function forgetText(key: string): void {
  try {
    sessionStorage.removeItem(`platen.${key}`);
  } catch {
    // nothing is kept then
  }
}

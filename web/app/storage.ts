// What a window keeps over a reload, and what the browser keeps for all of them. Storage may be off or full; then nothing is kept.

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

/** Keeps how a person likes the pages, in all windows and later ones. */
export function keepSetting(key: string, value: string): void {
  try {
    localStorage.setItem(`platen.${key}`, value);
  } catch {
    // the standard holds again after a reload
  }
}

export function keptSetting(key: string): string | undefined {
  try {
    return localStorage.getItem(`platen.${key}`) ?? undefined;
  } catch {
    return undefined;
  }
}

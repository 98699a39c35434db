// Keeps texts of a window over a reload, and settings of the browser for all windows. Storage may be off or full; then nothing
// is kept.

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

/** Keeps a person's setting of the pages for all windows, now and later. */
export function keepSetting(key: string, value: string): void {
  try {
    localStorage.setItem(`platen.${key}`, value);
  } catch {
    // the default returns after a reload
  }
}

export function keptSetting(key: string): string | undefined {
  try {
    return localStorage.getItem(`platen.${key}`) ?? undefined;
  } catch {
    return undefined;
  }
}

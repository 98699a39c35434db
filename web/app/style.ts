// Loads style sheets that only some pages need.

/** Resolves as soon as the style sheet is in use. The page works without it, so a failure is no error. */
export function loadStyle(name: string): Promise<void> {
  const href = new URL(`./${name}`, import.meta.url).href;
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]');
  if (Array.from(links).some((link) => link.href === href)) return Promise.resolve();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  return new Promise((resolve) => {
    link.onload = () => resolve();
    link.onerror = () => resolve();
    document.head.append(link);
  });
}

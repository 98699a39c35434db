// The address as a signal, and ways to change it. Clicks on links to pages change it without a reload.
import { computed, signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { match } from './match.js';

/** Properties of a page's component: the values of the `:names` in its path. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>;
}

export interface PageRoute {
  /** The page's pattern, such as `/dashboard/templates/:id`. */
  readonly path: string;
  /** Loads the chunk with the page's component. */
  readonly load: () => Promise<{ readonly default: ComponentType<PageProps> }>;
  /** Whether the page is shown without a session, header and navigation. */
  readonly isPublic?: boolean;
}

const routes = signal<readonly PageRoute[]>([]);
const address = signal(new URL(location.href));
/** Number of page changes by a click, `navigate` or the browser's buttons. */
export const navigations = signal(0);

/** The path, such as `/dashboard/keys`. */
export const path = computed(() => address.value.pathname);
/** The parameters after `?`. */
export const query = computed(() => address.value.searchParams);

export interface Match {
  readonly route: PageRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** The page at the address; undefined if there is none. */
export const current = computed<Match | undefined>(() => {
  for (const route of routes.value) {
    const params = match(route.path, path.value);
    if (params) return { route, params };
  }
  return undefined;
});

/** Goes to `href` (a path with its query). `replace` leaves no entry in the browser's history. */
export function navigate(href: string, { replace = false } = {}): void {
  const next = new URL(href, location.href);
  const isOtherPage = next.pathname !== location.pathname;
  history[replace ? 'replaceState' : 'pushState'](null, '', next);
  address.value = next;
  if (isOtherPage) {
    navigations.value++;
    scrollTo(0, 0);
  }
}

/** Changes parameters of the address and keeps the others; undefined and '' remove one. Leaves no entry in the history. */
export function setQuery(values: Readonly<Record<string, string | undefined>>): void {
  const next = new URL(address.value);
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === '') next.searchParams.delete(name);
    else next.searchParams.set(name, value);
  }
  navigate(next.href, { replace: true });
}

function isPage(pathname: string): boolean {
  return routes.value.some((route) => match(route.path, pathname) !== undefined);
}

function onClick(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link?.href || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  const url = new URL(link.href);
  // the browser handles a fragment of this page
  if (!isPage(url.pathname) || (url.pathname === location.pathname && url.hash !== '')) return;
  event.preventDefault();
  navigate(url.href);
}

export function startRouter(pages: readonly PageRoute[]): void {
  routes.value = pages;
  addEventListener('click', onClick);
  addEventListener('popstate', () => {
    const isOtherPage = location.pathname !== address.value.pathname;
    address.value = new URL(location.href);
    if (isOtherPage) navigations.value++;
  });
}

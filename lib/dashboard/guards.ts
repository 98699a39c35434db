// Checks each request before the dashboard looks at it: it must be addressed to this server, and no other site's page may have
// sent it.

import type { ApiRequest } from '../service/request.js';
import { publicOrigin, type Settings } from '../settings.js';
import { DashboardError } from './errors.js';

/** Pages of other origins can't send this header: browsers ask first, and the dashboard never allows it. */
const CSRF_HEADER = 'x-platen-csrf';

export interface Guards {
  /**
   * Rejects a request that names another host. With DNS rebinding, a page of another site makes its name point to this server,
   * but each of its requests still names the site's host.
   */
  checkHost(request: ApiRequest): void;
  /** Rejects a request of the admin API that a page of another site may have sent. */
  checkSite(request: ApiRequest): void;
}

/** `port` gives the API's port once it listens. */
export function createGuards(settings: Settings, port: () => number): Guards {
  const ownOrigin = () => publicOrigin(settings, port());
  /**
   * The server's address in the form that browsers send: lower case, and without the scheme's default port. An address with a
   * zone has no such form.
   */
  const own = () => (URL.canParse(ownOrigin()) ? new URL(ownOrigin()) : undefined);
  return {
    checkHost({ authority }) {
      if (isLoopback(authority)) return;
      const { protocol, host } = own() ?? {};
      if (host !== undefined && urlOf(authority, protocol)?.host === host) return;
      throw new DashboardError(
        'misdirected',
        `the dashboard is at ${ownOrigin()}/dashboard/; to use another address, start the server with DASHBOARD_ORIGIN`,
      );
    },
    checkSite(request) {
      const { method, authority = '' } = request;
      const isRead = method === 'GET' || method === 'HEAD';
      const site = request.header?.('sec-fetch-site');
      if (site !== undefined) {
        if (site !== 'same-origin') throw crossSite(`Sec-Fetch-Site is ${JSON.stringify(site.slice(0, 20))}`);
      } else {
        // browsers send no Origin when a page reads from its own origin
        const origin = request.header?.('origin');
        const isOwn =
          (origin !== undefined && origin === own()?.origin) ||
          (origin === `http://${authority}` && isLoopback(authority));
        if (!isOwn && !(isRead && origin === undefined)) throw crossSite(`Origin is not ${ownOrigin()}`);
      }
      if (!isRead && request.header?.(CSRF_HEADER) !== '1') throw crossSite('the header X-Platen-Csrf: 1 is missing');
    },
  };
}

function crossSite(reason: string): DashboardError {
  return new DashboardError('cross_site', `only the dashboard's own pages may send this request: ${reason}`);
}

/** Parses the value of a Host header; undefined if it is invalid. */
function urlOf(authority = '', protocol = 'http:'): URL | undefined {
  if (!/^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(authority)) return undefined;
  const url = `${protocol}//${authority}`;
  return URL.canParse(url) ? new URL(url) : undefined;
}

function isLoopback(authority: string | undefined): boolean {
  const { hostname = '' } = urlOf(authority) ?? {};
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

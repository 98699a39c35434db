// What a request must be before the dashboard looks at it: addressed to this server, and not sent by another site's page.

import type { ApiRequest } from '../service/request.js';
import { publicOrigin, type Settings } from '../settings.js';
import { DashboardError } from './errors.js';

/** Pages of other origins can't send it: browsers ask first, and the dashboard never allows it. */
const CSRF_HEADER = 'x-platen-csrf';

export interface Guards {
  /**
   * Rejects a request that names another host. A page of another site whose name was made to point to this server (DNS
   * rebinding) has its own host name in every request.
   */
  checkHost(request: ApiRequest): void;
  /** Rejects a request of the admin API that a page of another site may have sent. */
  checkSite(request: ApiRequest): void;
}

/** `port`: of the API, once it listens. */
export function createGuards(settings: Settings, port: () => number): Guards {
  const ownOrigin = () => publicOrigin(settings, port());
  /** In the form that browsers send: lower case, and without the scheme's own port. An address with a zone has none. */
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
        // browsers send no Origin with reads of their own origin
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

/** The URL of a Host header's value; undefined if it is none. */
function urlOf(authority = '', protocol = 'http:'): URL | undefined {
  if (!/^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(authority)) return undefined;
  const url = `${protocol}//${authority}`;
  return URL.canParse(url) ? new URL(url) : undefined;
}

function isLoopback(authority: string | undefined): boolean {
  const { hostname = '' } = urlOf(authority) ?? {};
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

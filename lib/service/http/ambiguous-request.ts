// Requests that a proxy in front may read otherwise than this server.
import type { IncomingMessage } from 'node:http';

/**
 * Whether the request is to be refused with 400: it has several Host headers (RFC 9112, section 3.2), or it is of HTTP/0.9, which
 * has no headers at all.
 */
export function isAmbiguous({ httpVersionMajor, headersDistinct }: IncomingMessage): boolean {
  return httpVersionMajor < 1 || (headersDistinct.host?.length ?? 0) > 1;
}

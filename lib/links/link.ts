// Reads a signed image link, for the service and for the handler of the library. This takes two steps: first who signed it,
// then, once that is verified, its fields.
import { fallbackOf, type ImageQuery, parseImageQuery } from '../contract/api/query.js';
import { type CodedError, ServiceError } from '../errors.js';
import { isSignedBy, SIGNATURE_MARK } from './sign.js';

/** A link whose signature is not verified yet. */
export interface SignedLink {
  /** The text that the signature covers: path and query as they were sent, without the signature. */
  readonly target: string;
  /** base64url. */
  readonly signature: string;
  readonly query: URLSearchParams;
  /** Id of the key; undefined when there is none, or more than one. */
  readonly keyId: string | undefined;
}

export const IMAGE_FORMATS = ['png', 'jpg', 'jpeg', 'webp', 'avif'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/**
 * 64 bytes as base64url. The last character has two bits of them; its other four are 0, so that a signature has one spelling and
 * a proxy one entry (RFC 4648, section 3.5).
 */
const SIGNATURE = /^[\w-]{85}[AQgw]$/;
/** Longest target that is verified, in characters. */
const MAX_TARGET_LENGTH = 16 * 1024;

export function isImageFormat(text: string): text is ImageFormat {
  return IMAGE_FORMATS.some((format) => format === text);
}

/** Separates the signature from `target` (path and query as they were sent). Throws RenderError `invalid_signature`. */
export function readSignature(target: string): SignedLink {
  const at = target.lastIndexOf(SIGNATURE_MARK);
  const signature = at < 0 ? '' : target.slice(at + SIGNATURE_MARK.length);
  const signed = target.slice(0, Math.max(at, 0));
  const start = signed.indexOf('?');
  if (target.length > MAX_TARGET_LENGTH || start < 0 || !SIGNATURE.test(signature) || /[?&]signature=/.test(signed)) {
    throw invalidSignature();
  }
  const query = new URLSearchParams(signed.slice(start + 1));
  const [keyId, ...others] = query.getAll('keyId');
  return { target: signed, signature, query, keyId: others.length > 0 ? undefined : keyId };
}

/** Says the same whatever is wrong, so that nobody learns which keys there are. */
export function invalidSignature(): CodedError {
  return new ServiceError(
    'invalid_signature',
    'expected a link that ends with &signature= and the signature of an active link key over everything before it',
  );
}

/** Throws RenderError `invalid_signature` unless the private half of `publicKey` signed the link. */
export async function verifyLink({ target, signature }: SignedLink, publicKey: string): Promise<void> {
  if (!(await isSignedBy(publicKey, target, signature))) throw invalidSignature();
}

/**
 * The fields of a verified link at the time `now` (milliseconds since 1970). Throws RenderError `link_expired`, and
 * `invalid_request` with every fault.
 */
export function readFields({ query }: SignedLink, now: number): ImageQuery {
  const fields = parseImageQuery(query);
  if (fields.expires !== undefined && now >= fields.expires * 1000) {
    throw new ServiceError('link_expired', 'the link was valid until the time in expires, which has passed');
  }
  return fields;
}

/** Returns the address to which the errors of a verified link are redirected; undefined if they aren't. */
export function redirectOf({ query }: SignedLink): string | undefined {
  return fallbackOf(query);
}

/** `Cache-Control` of an image: `maxAge` seconds, but not beyond the end of the link. */
export function cacheControl(maxAge: number, { expires }: Pick<ImageQuery, 'expires'>, now: number): string {
  const seconds = expires === undefined ? maxAge : Math.min(maxAge, Math.floor(expires - now / 1000));
  return `public, max-age=${Math.max(0, seconds)}`;
}

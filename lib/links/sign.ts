// Signs image links with Ed25519 (API "Signed image links"), by WebCrypto, which Node, edge runtimes and browsers have. It imports
// nothing, so the client has it too.

const PRIVATE_PREFIX = 'lnk_live_';
/** 32 bytes as base64url. */
const PRIVATE_KEY = /^lnk_live_([\w-]{43})$/;
/**
 * Bytes before the seed of an Ed25519 key in PKCS#8: RFC 8410, section 7. WebCrypto imports private keys in no shorter form.
 */
const PKCS8_HEAD = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];
const SEED_BYTES = 32;
/** A base for URLs without an origin; nothing is fetched from it. */
const NO_ORIGIN = 'http://relative.invalid';

/** Text before the signature in a link. The signature covers everything before it. */
export const SIGNATURE_MARK = '&signature=';

/**
 * Signs the URL of an image and returns it with `&signature=` at its end.
 * `url`: the link with all of its parameters (`keyId`, `v.NAME`, `quality`, `theme`, `locale`, `expires`, `fallback`): a whole URL, or a path that
 * starts with `/`. A fragment is dropped.
 * `privateKey`: `lnk_live_` and 43 characters, as `platen links create` prints it. Sign on servers alone: who has the key can
 * sign any link.
 * Rejects with TypeError when the URL or the key is malformed, or the URL is signed already. No message contains the key.
 * @example
 * const url = await signImageUrl('/v1/images/card.png?keyId=lnk_1&v.title=Hello', `lnk_live_${'A'.repeat(43)}`);
 * console.log(url); // /v1/images/card.png?keyId=lnk_1&v.title=Hello&signature=…
 */
export async function signImageUrl(url: string | URL, privateKey: string): Promise<string> {
  const text = String(url);
  const isRelative = /^\/(?!\/)/.test(text);
  if (!isRelative && !URL.canParse(text)) {
    throw new TypeError('signImageUrl: url: expected a whole URL, or a path that starts with /');
  }
  const { origin, pathname, search, searchParams } = new URL(text, isRelative ? NO_ORIGIN : undefined);
  if (searchParams.has('signature')) throw new TypeError('signImageUrl: url: it has a signature already');
  const target = pathname + (search || '?');
  const key = await importPrivateKey(privateKey, false);
  const signature = await crypto.subtle.sign('Ed25519', key, new TextEncoder().encode(target));
  return `${isRelative ? '' : origin}${target}${SIGNATURE_MARK}${toBase64Url(new Uint8Array(signature))}`;
}

/** A new private key with its public key: `lnk_live_…`, and 32 bytes as base64url. */
export async function createLinkKeyPair(): Promise<{ readonly privateKey: string; readonly publicKey: string }> {
  const privateKey = PRIVATE_PREFIX + toBase64Url(crypto.getRandomValues(new Uint8Array(SEED_BYTES)));
  return { privateKey, publicKey: await publicKeyOf(privateKey) };
}

/** The public key of a private one, as base64url. Rejects with TypeError. */
export async function publicKeyOf(privateKey: string): Promise<string> {
  // JSON Web Keys of private keys have the public half as x: RFC 8037, section 2
  const { x } = await crypto.subtle.exportKey('jwk', await importPrivateKey(privateKey, true));
  return x!;
}

/** Whether `signature` (base64url) is of `target` and was made with the private half of `publicKey`. */
export async function isSignedBy(publicKey: string, target: string, signature: string): Promise<boolean> {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey };
  const key = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['verify']);
  return await crypto.subtle.verify('Ed25519', key, fromBase64Url(signature), new TextEncoder().encode(target));
}

async function importPrivateKey(privateKey: string, extractable: boolean) {
  const [, seed] = PRIVATE_KEY.exec(String(privateKey)) ?? [];
  if (seed === undefined) {
    throw new TypeError('the private key of a link: expected lnk_live_ and 43 base64url characters');
  }
  const pkcs8 = Uint8Array.from([...PKCS8_HEAD, ...fromBase64Url(seed)]);
  return await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', extractable, ['sign']);
}

function toBase64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

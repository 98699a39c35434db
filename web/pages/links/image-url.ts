// Builds the unsigned URL of an image from a person's choices, and the code that signs it.

export interface ImageLink {
  /** Origin of the API, such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  readonly templateId: string;
  readonly format: string;
  /** Id of the link key that will sign it. */
  readonly keyId: string;
  /** Texts by variable; a variable without a text keeps the template's. */
  readonly variables: Readonly<Record<string, string>>;
  /** Unix time in seconds. */
  readonly expires?: number | undefined;
}

/** Builds the URL without a signature: the service refuses it until it is signed. */
export function imageUrl({ origin, templateId, format, keyId, variables, expires }: ImageLink): string {
  const filled = Object.entries(variables).filter(([, text]) => text !== '');
  const query = new URLSearchParams(filled.map(([name, text]) => [`v.${name}`, text]));
  query.set('keyId', keyId);
  if (expires !== undefined) query.set('expires', String(expires));
  return `${origin}/v1/images/${encodeURIComponent(templateId)}.${format}?${query}`;
}

/** Returns the end of a day such as `2026-11-30` in UTC, as Unix time in seconds. NaN if there is no such day. */
export function endOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000 + 86_400;
}

/** Code for the server that has the private key in LINK_KEY. */
export function signingCode(url: string): string {
  return `import { signImageUrl } from 'platen/client';

const url = ${JSON.stringify(url)};
console.log(await signImageUrl(url, process.env.LINK_KEY));
`;
}

// Explains a failed fetch in one phrase, for the operator. The service logs these phrases and never sends them to clients:
// they would reveal which hosts respond inside the operator's network.

/** A failure whose message is the reason. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
}

type DescribeError = (error: NodeJS.ErrnoException & { hostname?: string }) => string;

const REASONS = new Map<string, string | DescribeError>([
  ['ENOTFOUND', ({ hostname }) => (hostname ? `no such host: ${hostname}` : 'no such host')],
  ['ENODATA', ({ hostname }) => (hostname ? `no address for the host ${hostname}` : 'no address for this host')],
  ['EAI_AGAIN', ({ hostname }) => `the name servers do not respond${hostname ? ` for ${hostname}` : ''}`],
  ['ETIMEOUT', 'the name servers do not respond'],
  ['ESERVFAIL', 'the name servers report a failure'],
  ['ECONNREFUSED', 'the connection was refused'],
  ['ECONNRESET', ({ message }) => RESETS.get(message) ?? 'the connection was reset'],
  ['EPIPE', 'the connection was reset'],
  ['ERR_STREAM_PREMATURE_CLOSE', 'the connection closed before the response was complete'],
  ['ETIMEDOUT', 'the host does not respond'],
  ['EHOSTUNREACH', 'there is no route to the host'],
  ['ENETUNREACH', 'the network is unreachable'],
  ['EADDRNOTAVAIL', 'the network is unreachable'],
  ['EACCES', 'the system does not permit the connection'],
  ['CERT_HAS_EXPIRED', 'its TLS certificate has expired'],
  ['CERT_NOT_YET_VALID', 'its TLS certificate is not valid yet'],
  ['CERT_REVOKED', 'its TLS certificate was revoked'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', (error) => `its TLS certificate is for another name${otherNames(error)}`],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its TLS certificate is self-signed (NODE_EXTRA_CA_CERTS can name a file to trust)'],
  ['SELF_SIGNED_CERT_IN_CHAIN', unknownIssuer],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', unknownIssuer],
  ['UNABLE_TO_GET_ISSUER_CERT', unknownIssuer],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', unknownIssuer],
]);

/** Node uses ECONNRESET for three events and tells them apart by the message only. */
const RESETS = new Map([
  ['aborted', 'the connection closed before the response was complete'],
  ['socket hang up', 'the connection closed without a response'],
]);

function unknownIssuer(): string {
  return 'its TLS certificate comes from an unknown authority (NODE_EXTRA_CA_CERTS can name a file to trust)';
}

/** Characters of the list of names that is quoted from a certificate; a longer list is left out. */
const MAX_QUOTED_NAMES_LENGTH = 80;

function otherNames(error: NodeJS.ErrnoException & { cert?: { subjectaltname?: string } }): string {
  const names = (error.cert?.subjectaltname ?? '').replaceAll('DNS:', '');
  return names === '' || names.length > MAX_QUOTED_NAMES_LENGTH ? '' : `: ${names}`;
}

/** Says why a fetch failed, in a phrase that does not contain the URL. */
export function fetchReason(error: unknown): string {
  if (error instanceof FetchError) return error.message;
  // Node tries a host's addresses in turn: the first failure stands for all.
  if (error instanceof AggregateError && error.errors.length > 0) return fetchReason(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const { code = '' } = error as NodeJS.ErrnoException;
  const reason = REASONS.get(code);
  if (reason !== undefined) return typeof reason === 'string' ? reason : reason(error);
  if (code.startsWith('HPE_')) return 'the response is not valid HTTP';
  if (code.startsWith('Z_') || code.startsWith('ERR_BROTLI')) return 'the content encoding of the response is corrupt';
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return 'this port does not speak TLS, or no TLS version that both sides support';
  return error.message;
}

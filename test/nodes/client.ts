// A minimal HTTP client with keep-alive and without retries, and a tally of its responses. A response counts once its
// status is seen, whether or not the image arrives.
import { Agent, request } from 'node:http';

export interface Reply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: Buffer;
  /** The error code in the body, if any. */
  readonly code: string | undefined;
  /** Times of sending and of the status, in milliseconds of performance.now(). */
  readonly sent: number;
  readonly seen: number;
}

/** A card that renders very fast. */
export const CARD = { canvas: { width: 8, height: 8, backgroundColor: '#336699' }, layers: [] };

/** Connections for the clients of one test; `destroy` them. */
export const connections = () => new Agent({ keepAlive: true, maxSockets: 512 });

/** Requests a render, or `path` with GET. Rejects when the connection ends before a status is seen. */
export function ask(
  agent: Agent,
  url: string,
  {
    key,
    body = CARD,
    path = '/v1/render',
    idempotencyKey,
  }: { key?: string; body?: unknown; path?: string; idempotencyKey?: string | undefined },
): Promise<Reply> {
  const sent = performance.now();
  const method = path === '/v1/render' ? 'POST' : 'GET';
  return new Promise((resolve, reject) => {
    const headers = {
      'Content-Type': 'application/json',
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    };
    const asked = request(`${url}${path}`, { agent, method, headers }, (answer) => {
      const seen = performance.now();
      const chunks: Buffer[] = [];
      const done = () => {
        const bytes = Buffer.concat(chunks);
        const named = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
        resolve({
          status: answer.statusCode ?? 0,
          headers: new Map(named),
          bytes,
          code: codeOf(bytes),
          sent,
          seen,
        });
      };
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('close', done);
      answer.on('error', () => undefined);
    });
    asked.on('error', reject);
    asked.end(method === 'POST' ? JSON.stringify(body) : undefined);
  });
}

function codeOf(bytes: Buffer): string | undefined {
  if (bytes[0] !== 0x7b) return undefined;
  try {
    return (JSON.parse(bytes.toString()) as { code?: string }).code;
  } catch {
    return undefined;
  }
}

/** Counts the responses to the clients of one workspace. */
export class Tally {
  /** Number of answers by status, with its error code if any. */
  readonly answers = new Map<string, number>();
  /** Connections that ended without a status: it is unknown whether their renders were charged. */
  lost = 0;
  /** Refused connections: nothing was sent. */
  refused = 0;
  /** X-Service-Credits-Remaining of every 200. */
  readonly remaining: number[] = [];
  /** The longest time from a request to a status other than 200, in milliseconds. */
  slowestRefusal = 0;

  /** Waits for a response and counts it; returns its status, or undefined when there was none. */
  async count(asked: Promise<Reply>): Promise<number | undefined> {
    try {
      const { status, code, headers, sent, seen } = await asked;
      const name = code === undefined ? String(status) : `${status} ${code}`;
      this.answers.set(name, (this.answers.get(name) ?? 0) + 1);
      if (status === 200) this.remaining.push(Number(headers.get('x-service-credits-remaining')));
      else this.slowestRefusal = Math.max(this.slowestRefusal, seen - sent);
      return status;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') this.refused++;
      else this.lost++;
      return undefined;
    }
  }

  get made(): number {
    return this.remaining.length;
  }

  toString(): string {
    return `${[...this.answers].map(([name, times]) => `${times} × ${name}`).join(', ')}, ${this.lost} lost, ${this.refused} refused`;
  }
}

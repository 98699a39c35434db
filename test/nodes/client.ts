// A client in small: one request over connections that are kept, nothing asked a second time, and a tally of what came
// back. A status that was seen counts, whether or not the picture after it arrived.
import { Agent, request } from 'node:http';

export interface Reply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: Buffer;
  /** The code of a failure; undefined when the body is no JSON with one. */
  readonly code: string | undefined;
  /** When it was sent, and when its status was seen, in milliseconds of performance.now(). */
  readonly sent: number;
  readonly seen: number;
}

/** A card that costs next to nothing to draw. */
export const CARD = { canvas: { width: 8, height: 8, backgroundColor: '#336699' }, layers: [] };

/** Connections for the clients of one test; `destroy` them. */
export const connections = () => new Agent({ keepAlive: true, maxSockets: 512 });

/** Asks for a render, or with a `path` for that. Rejects when the connection ends before a status was seen. */
export function ask(
  agent: Agent,
  url: string,
  { key, body = CARD, path = '/v1/render' }: { key?: string; body?: unknown; path?: string },
): Promise<Reply> {
  const sent = performance.now();
  const method = path === '/v1/render' ? 'POST' : 'GET';
  return new Promise((resolve, reject) => {
    const headers = {
      'Content-Type': 'application/json',
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
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

/** What clients of one workspace were answered. */
export class Tally {
  /** How often each status was seen, with its code where it has one. */
  readonly answers = new Map<string, number>();
  /** Connections that ended without a status: nobody knows whether their renders were charged. */
  lost = 0;
  /** Connections that were refused: nothing was asked. */
  refused = 0;
  /** X-Service-Credits-Remaining of every 200. */
  readonly remaining: number[] = [];
  /** The longest time from a request to a status that was no 200, in milliseconds. */
  slowestRefusal = 0;

  /** Waits for a request and counts it; gives its status, or undefined when it was lost. */
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

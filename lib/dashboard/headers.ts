// The headers of everything below `/dashboard`. No answer allows another origin to read it.
import type { Answer } from '../service/request.js';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/** The Content-Security-Policy of pages. */
export const PAGE_POLICY = POLICY.join('; ');
/**
 * Policy for the worker's script: a worker obeys the policy of the answer that it came with. The engine's kernels are
 * WebAssembly.
 */
export const WORKER_POLICY = PAGE_POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'");
/** Policy for non-HTML responses: a browser that opens one as a page must not run anything in it. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Adds the headers of everything below `/dashboard` to an answer. The answer's headers win. */
export function withSafeHeaders(answer: Answer, requestId: string): Answer {
  const headers = new Map([
    ['Cache-Control', 'no-store'],
    ['Content-Security-Policy', DATA_POLICY],
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'no-referrer'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['X-Request-Id', requestId],
    ...answer.headers,
  ]);
  return { ...answer, headers };
}

// An SDK for tests: registered as `node --import` would, before the server starts. Spans are held in memory.
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';

const exporter = new InMemorySpanExporter();
/** Gets spans only when the provider is flushed: its delay is an hour. */
export const delayed = new InMemorySpanExporter();

export function registerSdk(): void {
  const spanProcessors = [
    new SimpleSpanProcessor(exporter),
    new BatchSpanProcessor(delayed, { scheduledDelayMillis: 3_600_000 }),
  ];
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
}

/** The spans that have ended since the last call, in the order of their start. */
export function takeSpans(): ReadableSpan[] {
  const spans = [...exporter.getFinishedSpans()];
  exporter.reset();
  return spans.sort((a, b) => startOf(a) - startOf(b));
}

/** Milliseconds of the system's clock. */
export const startOf = ({ startTime: [seconds, nanoseconds] }: ReadableSpan) => seconds * 1000 + nanoseconds / 1e6;
export const endOf = ({ endTime: [seconds, nanoseconds] }: ReadableSpan) => seconds * 1000 + nanoseconds / 1e6;
export const idOf = (span: ReadableSpan) => span.spanContext().spanId;
export const parentOf = (span: ReadableSpan) => span.parentSpanContext?.spanId;

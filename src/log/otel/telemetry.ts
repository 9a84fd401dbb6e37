import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import { ensoLogger } from '../../core/log.js'
import type { ObservedEvent } from '../../core/observed-event.js'
import type { Redactor } from '../redact/redactor.js'
import { createSpanMaker } from './spans.js'

/** Spans on their way to a collector. */
export interface Telemetry {
  /** Never throws. */
  observe(event: ObservedEvent): void
  /** Ends what is open and sends the rest, for at most `TELEMETRY_END_MS`. */
  end(): Promise<void>
}

/** What telemetry needs of the process. */
export interface TelemetryOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
  readonly redactor: Redactor
  readonly clock: { now(): number; after(ms: number, callback: () => void): () => void }
}

/** How long the end of a process waits for a collector, in milliseconds. */
export const TELEMETRY_END_MS = 2000
const EXPORT_MS = 5000
const DEFAULT_ENDPOINT = 'http://127.0.0.1:4318'

const log = ensoLogger('host', 'telemetry')

/**
 * Sends spans over OTLP to `OTEL_EXPORTER_OTLP_ENDPOINT` (or `…_TRACES_ENDPOINT`), a collector on this machine when
 * neither is set. A collector that can't be reached is said once, in the log, and changes nothing of a run.
 */
export function createTelemetry({ env, version, redactor, clock }: TelemetryOptions): Telemetry {
  const failed = sayOnce()
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': env['OTEL_SERVICE_NAME'] || 'enso',
      'service.version': version,
    }),
    spanProcessors: [
      new BatchSpanProcessor(
        withFailures(new OTLPTraceExporter({ url: tracesUrl(env), timeoutMillis: EXPORT_MS }), failed),
      ),
    ],
  })
  const spans = createSpanMaker({
    tracer: provider.getTracer('enso', version),
    redactor,
    contents: env['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT']?.toLowerCase() === 'true',
    now: () => clock.now(),
  })
  return {
    observe(event) {
      try {
        spans.observe(event)
      } catch (error) {
        log.error('an observation made no span: {reason}', { threadId: event.threadId, reason: String(error) })
      }
    },
    async end() {
      spans.endAll()
      let cancel: (() => void) | undefined
      const bound = new Promise<void>((resolve) => {
        cancel = clock.after(TELEMETRY_END_MS, () => {
          failed(new Error(`the collector took longer than ${TELEMETRY_END_MS} ms`))
          resolve()
        })
      })
      await Promise.race([provider.shutdown().catch(failed), bound])
      cancel?.()
    },
  }
}

function tracesUrl(env: TelemetryOptions['env']): string {
  const own = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  if (own) return own
  return `${(env['OTEL_EXPORTER_OTLP_ENDPOINT'] || DEFAULT_ENDPOINT).replace(/\/+$/, '')}/v1/traces`
}

/** The exporter, telling of batches that could not be sent. */
function withFailures(exporter: SpanExporter, failed: (error: unknown) => void): SpanExporter {
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error !== undefined) failed(result.error)
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  }
}

function sayOnce(): (error: unknown) => void {
  let said = false
  return (error) => {
    if (said) return
    said = true
    log.warn('spans could not be sent: {reason}', { reason: error instanceof Error ? error.message : String(error) })
  }
}

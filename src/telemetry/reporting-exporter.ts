/**
 * Exports spans to a collector. Spans that it rejects are lost, which is no fault of their creators: the log reports
 * when that starts and when it is over, once each, and callers, including a stopping process, get no error.
 */
import { ExportResultCode } from '@opentelemetry/core'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { Logger } from './log.ts'

export function reportingExporter(exporter: SpanExporter, log: Logger): SpanExporter {
  let lost = 0
  return {
    export(spans, done) {
      exporter.export(spans, ({ code, error }) => {
        if (code !== ExportResultCode.SUCCESS) {
          if (lost === 0) log.warn({ why: error?.message }, 'The collector is not accepting spans; they are lost')
          lost += spans.length
        } else if (lost > 0) {
          log.info({ lost }, 'The collector is accepting spans again')
          lost = 0
        }
        done({ code: ExportResultCode.SUCCESS })
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}

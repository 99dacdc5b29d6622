/**
 * Spans on their way to a collector. Where it does not take them they are lost, which is no fault of whoever made them: the log tells
 * when that begins and when it is over, once each, and who hands spans over, also a process that stops, hears nothing of it.
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
          if (lost === 0) log.warn({ why: error?.message }, 'The collector takes no spans; they are lost')
          lost += spans.length
        } else if (lost > 0) {
          log.info({ lost }, 'The collector takes spans again')
          lost = 0
        }
        done({ code: ExportResultCode.SUCCESS })
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}

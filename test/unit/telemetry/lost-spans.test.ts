/** Spans that a collector does not take: told in the log as that begins and as it ends, and no fault of the process that made them. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { trace } from '@opentelemetry/api'
import { expect, test } from 'vitest'
import { createLogger } from '../../../src/telemetry/log.ts'
import { startTracing } from '../../../src/telemetry/tracing.ts'

test('a collector that refuses spans is reported once, and once more when it accepts them again; stopping works in between', async () => {
  let status = 400
  let asked = 0
  const collector = createServer((request, response) => {
    request.resume().once('end', () => {
      asked++
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => void collector.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  const lines: { readonly msg: string; readonly lost?: number }[] = []
  const log = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const options = { endpoint, version: '1.2.3', build: 'a1b2', role: 'all', log }
  /** As many spans as leave at once. */
  const make = () => {
    for (let n = 0; n < 512; n++) trace.getTracer('panji').startSpan('one').end()
  }
  try {
    const tracing = await startTracing(options)
    for (const [wanted, answered] of [
      [1, 400],
      [2, 400],
      [3, 200],
    ] as const) {
      status = answered
      make()
      await expect.poll(() => asked).toBe(wanted)
    }
    await tracing.stop()
    expect(lines.map(({ msg, lost }) => [msg, lost])).toEqual([
      ['The collector is not accepting spans; they are lost', undefined],
      ['The collector is accepting spans again', 1024],
    ])

    const refused = await startTracing(options)
    status = 400
    make()
    await refused.stop()
    expect([asked, lines.length]).toEqual([4, 3])
  } finally {
    await new Promise((resolve) => collector.close(resolve))
  }
})

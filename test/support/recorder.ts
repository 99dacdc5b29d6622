/** A server that should not be called: it records every request with its body, for tests that assert so. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Recorder {
  readonly origin: string
  /** Head and body of each request, as text. */
  readonly heard: string[]
  close(): Promise<void>
}

export async function startRecorder(port = 0): Promise<Recorder> {
  const heard: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`)
      response.end('{}')
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    async close() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

/**
 * A real HTTP server of one file, with validators and ranges as in RFC 9110, that can be told to misbehave: to cut or
 * stall its responses, to change the file, to break its promises.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface ServedFile {
  body: Buffer
  /** As sent, with quotes; undefined sends none. */
  etag: string | undefined
  lastModified: Date | undefined
}

export interface SeenRequest {
  readonly url: string
  readonly range: string | undefined
  readonly ifRange: string | undefined
  readonly ifNoneMatch: string | undefined
  readonly ifModifiedSince: string | undefined
  /** Of the answer. */
  readonly status: number
}

export interface FileServer {
  readonly url: string
  readonly file: ServedFile
  readonly seen: SeenRequest[]
  /** What happens to the next responses, one each; later ones succeed. */
  readonly faults: Fault[]
}

export type Fault =
  /** Sends this many bytes of the body, then closes the connection; the reader may lose the last 100 KiB. */
  | { readonly cutAfter: number }
  /** Sends this many bytes, then nothing more, and keeps the connection open. */
  | { readonly stopAfter: number }
  /** Accepts the request and never responds. */
  | 'silent'
  /** Writes its own response. */
  | ((request: IncomingMessage, reply: ServerResponse) => void)

export async function serveFile(body: Buffer, etag: string | undefined = '"v1"'): Promise<FileServer> {
  const file: ServedFile = { body, etag, lastModified: new Date(Date.UTC(2025, 9, 1)) }
  const seen: SeenRequest[] = []
  const faults: Fault[] = []
  const server = createServer((request, reply) => {
    const { headers, url = '/' } = request
    seen.push({
      url,
      range: headers.range,
      ifRange: headers['if-range']?.toString(),
      ifNoneMatch: headers['if-none-match'],
      ifModifiedSince: headers['if-modified-since'],
      get status() {
        return reply.statusCode
      },
    })
    const fault = faults.shift()
    if (fault === 'silent') return
    if (typeof fault === 'function') {
      fault(request, reply)
      return
    }
    answer(request, reply, file, fault)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/file.csv`, file, seen, faults }
}

function answer(
  { headers }: IncomingMessage,
  reply: ServerResponse,
  { body, etag, lastModified }: ServedFile,
  fault: Exclude<Fault, 'silent' | ((...given: never[]) => void)> | undefined,
): void {
  const modified = lastModified?.toUTCString()
  if (etag !== undefined) reply.setHeader('etag', etag)
  if (modified !== undefined) reply.setHeader('last-modified', modified)
  const asked = headers['if-none-match']
  const isSame = asked === undefined ? headers['if-modified-since'] === modified : asked === etag
  if (isSame && (asked !== undefined || headers['if-modified-since'] !== undefined)) {
    reply.writeHead(304).end()
    return
  }
  const condition = headers['if-range']
  const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? Number.NaN)
  if (Number.isNaN(start) || (condition !== undefined && condition !== etag && condition !== modified)) {
    send(reply, 200, {}, body, fault)
  } else if (start >= body.length) {
    reply.writeHead(416, { 'content-range': `bytes */${body.length}` }).end()
  } else {
    const range = `bytes ${start}-${body.length - 1}/${body.length}`
    send(reply, 206, { 'content-range': range }, body.subarray(start), fault)
  }
}

function send(
  reply: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: Buffer,
  fault: { readonly cutAfter: number } | { readonly stopAfter: number } | undefined,
): void {
  reply.writeHead(status, { ...headers, 'content-length': body.length })
  if (fault === undefined) reply.end(body)
  else if ('stopAfter' in fault) reply.write(body.subarray(0, fault.stopAfter))
  else reply.write(body.subarray(0, fault.cutAfter), () => reply.socket?.destroy())
}

/**
 * Answers what never becomes a request (broken syntax, oversized headers, a timeout) in the format of every other
 * error, and closes the connection even if its peer keeps sending and never closes its side.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { quoted } from '../domain/visible.ts'
import { docUrlOf } from './error-reply.ts'
import { requestIdOf, securityHeaders } from './hooks/response-headers.ts'

/** Time for the response to arrive: a connection that is closed while bytes of the peer come in loses it. */
const lingerMs = 1_000

const statusLines: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

export function answerMalformedHttp(error: Error & { code?: string }, socket: Socket): void {
  // The peer is already gone: there is no one to answer.
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const statusLine = statusLines[error.code ?? ''] ?? '400 Bad Request'
  const { headers, body } = faultOf(`The request could not be read as HTTP: ${statusLine.slice(4)}.`, randomUUID())
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${statusLine}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  const ending = setTimeout(() => socket.destroy(), lingerMs)
  ending.unref()
  socket.once('close', () => clearTimeout(ending))
}

/** For a request that expects what this server does not support. */
export function answerExpectation(request: IncomingMessage, response: ServerResponse): void {
  const came = quoted(String(request.headers.expect), 60)
  const { headers, body } = faultOf(
    `Expect: only 100-continue is supported here, but ${came} was sent.`,
    requestIdOf(request),
  )
  response.writeHead(417, headers).end(body)
}

function faultOf(detail: string, requestId: string) {
  const body = JSON.stringify({
    detail,
    error_code: 'BAD_REQUEST',
    request_id: requestId,
    doc_url: docUrlOf('BAD_REQUEST'),
  })
  const headers = {
    ...securityHeaders,
    'X-Request-Id': requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }
  return { headers, body }
}

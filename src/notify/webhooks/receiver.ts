/**
 * A receiver of events on this machine, for developers of one: it shows whether each message is genuine, and answers as
 * a receiver should, with 204 or 400. Nothing is stored.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { faultOfMessage, type SignedMessage } from './signature.ts'

export interface ReceivedMessage extends SignedMessage {
  /** Why it must not be trusted; null where it is genuine. */
  readonly fault: string | null
}

const bodyBytesMax = 1_048_576

/** @param hear is called with each complete message. */
export function createReceiver(secret: string, hear: (message: ReceivedMessage) => void): Server {
  return createServer((request, response) => {
    const answer = (status: number) => response.writeHead(status, { connection: 'close' }).end()
    const isPost = request.method === 'POST'
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= bodyBytesMax) chunks.push(chunk)
      else if (!response.headersSent) answer(413)
    })
    request.on('end', () => {
      if (response.headersSent) return
      if (!isPost) return void answer(405)
      const message = messageOf(request, Buffer.concat(chunks).toString('utf8'))
      const fault = faultOfMessage(message, secret)
      hear({ ...message, fault })
      answer(fault === null ? 204 : 400)
    })
    // An aborted request sent nothing.
    request.on('error', () => undefined)
  })
}

function messageOf({ headers }: IncomingMessage, body: string): SignedMessage {
  const header = (name: string) => String(headers[`webhook-${name}`] ?? '')
  return { id: header('id'), at: header('timestamp'), signatures: header('signature'), body }
}

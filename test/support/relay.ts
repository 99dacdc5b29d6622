/** An HTTP relay in front of a server, in which a test counts the calls and breaks them at will. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RelayedCall {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: Buffer
}

/** The fate of a call; `forward` sends it to the server, also more than once. */
export type Intercept = (
  call: RelayedCall,
  forward: () => Promise<Response>,
) => Promise<Response | 'break the connection'>

export interface Relay {
  readonly url: string
  readonly calls: RelayedCall[]
  intercept: Intercept
  close(): Promise<void>
}

export async function startRelay(target: string): Promise<Relay> {
  const calls: RelayedCall[] = []
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const relay: Relay = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    intercept: (_call, forward) => forward(),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return relay

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const call = await readCall(incoming)
    calls.push(call)
    const { method, path, headers, body } = call
    const forward = () => fetch(`${target}${path}`, { method, headers, ...(method === 'GET' ? {} : { body }) })
    const answer = await relay.intercept(call, forward)
    if (answer === 'break the connection') {
      outgoing.destroy()
      return
    }
    const content = Buffer.from(await answer.arrayBuffer())
    // Compressed responses were decompressed on the way.
    const { 'content-encoding': _packed, ...kept } = Object.fromEntries(answer.headers)
    outgoing.writeHead(answer.status, { ...kept, 'content-length': content.length })
    outgoing.end(content)
  }
}

async function readCall(incoming: IncomingMessage): Promise<RelayedCall> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const { authorization, 'content-type': type, 'idempotency-key': key } = incoming.headers
  const headers = new Headers()
  if (authorization) headers.set('authorization', authorization)
  if (type) headers.set('content-type', type)
  if (typeof key === 'string') headers.set('idempotency-key', key)
  const body = Buffer.concat(chunks)
  return { method: incoming.method ?? '', path: incoming.url ?? '', headers, body }
}

/**
 * A proxy in front of a database that drops the `options` of each startup packet, as PgBouncer does when it is told to
 * ignore them.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

const cString = (text: string) => Buffer.from(`${text}\0`)

/** The packet without its options: a length, the protocol's version, then names and values, each ended by a zero byte. */
function withoutOptions(packet: Buffer): Buffer {
  const parts = packet.subarray(8, -1).toString().split('\0').slice(0, -1)
  const pairs = parts.flatMap((name, at) => (at % 2 === 0 && name !== 'options' ? [name, parts[at + 1] ?? ''] : []))
  const rest = Buffer.concat([packet.subarray(4, 8), ...pairs.map(cString), Buffer.from([0])])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(rest.length + 4)
  return Buffer.concat([length, rest])
}

export interface ForgetfulPooler {
  readonly url: string
  /** When the server stops: its error is forwarded, followed by a second one, like PgBouncer's own. */
  tellEnd(): void
  close(): Promise<void>
}

/** An error after which the connection is over, as the protocol writes it. */
function fatal(code: string, message: string): Buffer {
  const fields = Buffer.concat([...['SFATAL', 'VFATAL', `C${code}`, `M${message}`].map(cString), Buffer.from([0])])
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeUInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

export async function startForgetfulPooler(databaseUrl: string): Promise<ForgetfulPooler> {
  const url = new URL(databaseUrl)
  const port = Number(url.port)
  const open = new Set<Socket>()
  const clients = new Set<Socket>()
  const listener = createServer((client) => {
    const server = connect({ port, host: '127.0.0.1' })
    clients.add(client)
    client.on('close', () => clients.delete(client))
    for (const socket of [client, server]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    let read = Buffer.alloc(0)
    const gather = (chunk: Buffer) => {
      read = Buffer.concat([read, chunk])
      if (read.length < 4 || read.length < read.readUInt32BE(0)) return
      client.off('data', gather)
      const length = read.readUInt32BE(0)
      server.write(Buffer.concat([withoutOptions(read.subarray(0, length)), read.subarray(length)]))
      client.pipe(server)
      server.pipe(client)
    }
    client.on('data', gather)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  url.port = String((listener.address() as AddressInfo).port)
  return {
    url: url.href,
    tellEnd() {
      const both = [fatal('57P01', 'terminating connection'), fatal('08P01', 'server conn crashed?')]
      for (const client of clients) client.end(Buffer.concat(both))
    },
    async close() {
      const closed = once(listener, 'close')
      listener.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

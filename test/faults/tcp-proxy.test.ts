import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { randomOf } from './support/seeds.ts'
import { startTcpProxy } from './support/tcp-proxy.ts'

test('over a slow link bytes arrive late, all of them and in their order', async () => {
  const received: Buffer[] = []
  const server = createServer((socket) => socket.on('data', (chunk: Buffer) => received.push(chunk)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy = await startTcpProxy((server.address() as AddressInfo).port)
  proxy.slowDown(20, 15, randomOf(1))
  const arrived = once(server, 'connection')
  const client = connect(proxy.port, '127.0.0.1')
  await once(client, 'connect')
  const [at] = await arrived
  const ended = once(at, 'end')
  const sent = Buffer.alloc(32 << 20)
  for (let offset = 0; offset < sent.length; offset += 4) sent.writeUInt32LE(offset, offset)
  const before = performance.now()
  client.end(sent)
  await ended
  expect(performance.now() - before).toBeGreaterThan(5)
  expect(Buffer.concat(received).equals(sent)).toBe(true)
  await proxy.close()
  server.close()
})

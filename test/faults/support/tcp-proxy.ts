/** A network that can be told to fail: stands on loopback between a process and its database. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, connect as dial, type Socket } from 'node:net'

export interface TcpProxy {
  readonly port: number
  /** The database's address as seen through the proxy. */
  through(databaseUrl: string): string
  /** Where new connections lead. */
  lead(port: number): void
  /** Bytes of all connections, or of those now open only, vanish; nobody is told. */
  blackHole(which: 'all' | 'open'): void
  /** New connections work again; those whose bytes vanished stay dead. */
  heal(): void
  /** Every chunk, either way, is late by `ms`, give or take `jitterMs`; the order stays. */
  slowDown(ms: number, jitterMs: number, random: () => number): void
  /** Nobody listens any more, and open connections are reset. */
  unplug(): Promise<void>
  plugIn(): Promise<void>
  openConnections(): number
  close(): Promise<void>
}

interface Link {
  readonly client: Socket
  readonly server: Socket
  dead: boolean
}

/** Bytes under way at most in one direction of one connection, so that a slow link slows its sender. */
const inFlightMax = 1 << 20

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  let target = targetPort
  let swallowing = false
  let latency = (): number => 0
  const links = new Set<Link>()

  function carry(link: Link, from: Socket, to: Socket): void {
    // A timer for each chunk would let the later one pass the earlier: timers hold no order within a millisecond.
    const underWay: { readonly chunk: Buffer; readonly due: number }[] = []
    let inFlight = 0
    let isEnded = false
    let isWaiting = false
    const deliver = (): void => {
      isWaiting = false
      for (let first = underWay[0]; first && first.due <= performance.now(); first = underWay[0]) {
        underWay.shift()
        inFlight -= first.chunk.length
        if (!link.dead && !to.destroyed) to.write(first.chunk)
      }
      if (inFlight < inFlightMax) from.resume()
      const [next] = underWay
      if (next) wait(next.due - performance.now())
      else if (isEnded && !link.dead) to.destroySoon()
    }
    const wait = (ms: number): void => {
      isWaiting = true
      setTimeout(deliver, ms)
    }
    from.on('data', (chunk: Buffer) => {
      if (link.dead) return
      const late = latency()
      if (late === 0 && inFlight === 0) {
        if (!to.write(chunk)) {
          from.pause()
          to.once('drain', () => from.resume())
        }
        return
      }
      inFlight += chunk.length
      if (inFlight > inFlightMax) from.pause()
      underWay.push({ chunk, due: Math.max(underWay.at(-1)?.due ?? 0, performance.now() + late) })
      if (!isWaiting) wait(late)
    })
    from.on('error', () => {})
    from.on('close', () => {
      if (from === link.client || to.destroyed) links.delete(link)
      // Over a dead link the other side does not hear of the end.
      isEnded = true
      if (underWay.length === 0 && !link.dead) to.destroy()
    })
  }

  const listener = createServer((client) => {
    const server = dial({ port: target, host: '127.0.0.1' })
    const link: Link = { client, server, dead: swallowing }
    links.add(link)
    carry(link, client, server)
    carry(link, server, client)
  })
  const listen = async (port: number) => {
    listener.listen(port, '127.0.0.1')
    await once(listener, 'listening')
    return (listener.address() as AddressInfo).port
  }
  const cut = () => {
    for (const { client, server } of links) {
      client.resetAndDestroy()
      server.destroy()
    }
    links.clear()
  }
  const silence = async () => {
    if (!listener.listening) return
    const closed = once(listener, 'close')
    listener.close()
    cut()
    await closed
  }
  const port = await listen(0)
  return {
    port,
    through(databaseUrl) {
      const url = new URL(databaseUrl)
      url.port = String(port)
      return url.href
    },
    lead(to) {
      target = to
    },
    blackHole(which) {
      swallowing = which === 'all'
      for (const link of links) link.dead = true
    },
    heal() {
      swallowing = false
      latency = () => 0
    },
    slowDown(ms, jitterMs, random) {
      latency = () => ms + jitterMs * (2 * random() - 1)
    },
    unplug: silence,
    plugIn: async () => {
      await listen(port)
    },
    openConnections: () => links.size,
    close: silence,
  }
}

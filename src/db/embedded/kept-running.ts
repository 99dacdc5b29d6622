/**
 * A server that ends unasked, since its first process was killed or it could not recover on a full disk, is started again until it
 * runs; whoever is connected finds it where it was. Why a start failed stands in its log.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

const pauseMs = { first: 500, longest: 15_000 }

export interface Kept {
  /** Ends the server, and what would start it again. */
  stop(): Promise<void>
}

/**
 * @param start launches a server, hands it over at once, and resolves when it takes connections.
 * @param end ends one that was launched; one that has ended already is left as it is.
 */
export function keepRunning(
  running: ChildProcess,
  start: (launched: (server: ChildProcess) => void) => Promise<unknown>,
  end: (server: ChildProcess) => Promise<void>,
): Kept {
  const stopping = new AbortController()
  const { signal } = stopping
  let server = running
  const launched = (next: ChildProcess) => {
    server = next
  }
  const startAgain = async (): Promise<void> => {
    for (let pause = pauseMs.first; !signal.aborted; pause = Math.min(pause * 2, pauseMs.longest)) {
      await delay(pause, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      try {
        await start(launched)
        return
      } catch {
        await end(server)
      }
    }
  }
  const kept = (async () => {
    while (!signal.aborted) {
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
      await startAgain()
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await end(server)
      await kept
    },
  }
}

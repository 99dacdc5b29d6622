/**
 * Restarts a server that ends unexpectedly (its main process was killed, or recovery failed on a full disk) until it
 * runs. It keeps its address, so clients reconnect. The reason for a failed start is in the server's log.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

const pauseMs = { first: 500, longest: 15_000 }

export interface Kept {
  /** Ends the server and stops restarting it. */
  stop(): Promise<void>
}

/**
 * @param start launches a server, passes it to the callback at once, and resolves when it accepts connections.
 * @param end ends a launched server; does nothing if it has already ended.
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

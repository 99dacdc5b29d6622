/** Actor: connections without a key, in a thread of their own, from their first answer on. */
import { Worker } from 'node:worker_threads'
import type { StrangersData } from './stranger-acts.ts'

export interface Crowd {
  /** @returns what the server did with them, by act. */
  stop(): Promise<unknown>
}

export async function startStrangers(data: StrangersData): Promise<Crowd> {
  const thread = new Worker(new URL('stranger-acts.ts', import.meta.url), { workerData: data })
  await new Promise((resolve) => thread.once('message', resolve))
  return {
    async stop() {
      const counted = new Promise<unknown>((resolve) => thread.once('message', resolve))
      thread.postMessage('stop')
      const answers = await counted
      await thread.terminate()
      return answers
    },
  }
}

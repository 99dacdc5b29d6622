/** A server that stops behind PgBouncer: each connection hears its farewell and then PgBouncer's own error, and the process lives. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type QueueHandle, startQueue } from '../../src/queue/queue.ts'
import { useTestDatabase } from '../support/database.ts'
import { type ForgetfulPooler, startForgetfulPooler } from '../support/forgetful-pooler.ts'

const database = useTestDatabase()
const heard: string[] = []
const uncaught: Error[] = []
let tell = () => {}
let pooler: ForgetfulPooler
let queue: QueueHandle
const catchIt = (error: Error) => uncaught.push(error)
beforeAll(async () => {
  pooler = await startForgetfulPooler(database.url)
  const onError = ({ message }: Error) => {
    heard.push(message)
    tell()
  }
  queue = await startQueue({ connectionString: pooler.url, supervise: true, onError })
  process.on('uncaughtException', catchIt)
})
afterAll(async () => {
  process.off('uncaughtException', catchIt)
  await queue?.boss.stop({ graceful: false })
  await pooler?.close()
})

test('the connection that listens for jobs reports its end twice, and the queue continues', async () => {
  const told = new Promise<void>((resolve) => {
    tell = resolve
  })
  pooler.tellEnd()
  await told
  // Another connection of the pool may hear of its end in this very call; the next one is new.
  await expect.poll(() => queue.boss.getQueues().catch(() => [])).not.toEqual([])
  expect(heard).toContain('terminating connection')
  expect(uncaught).toEqual([])
})

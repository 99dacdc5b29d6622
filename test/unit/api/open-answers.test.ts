import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openAnswers } from '../../../config/plans.ts'
import { createOpenAnswers } from '../../../src/api/open-answers.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function callOf(accountId: string, plan: 'free' | 'premium') {
  const raw = Object.assign(new EventEmitter(), {
    idle: 0,
    leave: () => {},
    socket: { bytesWritten: 0, writableLength: 0 },
    setTimeout: (ms: number, cut: () => void) => Object.assign(raw, { idle: ms, leave: cut }),
    destroy: () => raw.emit('close'),
  })
  const request = { principal: { accountId, plan, isEnterprise: false } } as FastifyRequest
  return { raw, request, reply: { raw } as unknown as FastifyReply }
}

function holding(answers: ReturnType<typeof createOpenAnswers>) {
  return (accountId: string, plan: 'free' | 'premium' = 'premium', kind: 'paid' | 'unpaid' | 'whole' = 'paid') => {
    const { raw, request, reply } = callOf(accountId, plan)
    answers.hold(request, reply, kind)
    return raw
  }
}

const tooMany = expect.objectContaining({ code: 'TOO_MANY_CONCURRENT', retryAfterSeconds: 5 })
const roomy = { ...openAnswers, perAccount: { free: 1, premium: 2 }, inAll: 3, reserved: 0, idleSeconds: 9 }

test('of one account and of a process only so many answers are open, and one that ends makes room', () => {
  const hold = holding(createOpenAnswers(roomy))
  const first = hold('a')
  hold('a')
  expect(() => hold('a')).toThrow(tooMany)
  const other = hold('b')
  expect(() => hold('b')).toThrow(tooMany)
  first.emit('close')
  expect(() => hold('a')).not.toThrow()
  expect(() => hold('c')).toThrow(tooMany)
  // A caller who takes nothing is cut off, and its answer counts no longer.
  expect(other.idle).toBe(9_000)
  other.leave()
  expect(() => hold('c')).not.toThrow()
})

test('free accounts, however many, leave the reserved places to who pays, and orders that are not paid take none of either', () => {
  const unpaid = { perAccount: 1, inAll: 2 }
  const answers = createOpenAnswers({ ...roomy, inAll: 4, reserved: 2, unpaid })
  const hold = holding(answers)
  for (const account of ['a', 'b']) hold(account, 'free')
  expect(() => hold('a', 'free')).toThrow(tooMany)
  expect(() => hold('c', 'free')).toThrow(tooMany)
  for (const account of ['a', 'b']) hold(account, 'free', 'unpaid')
  expect(() => hold('a', 'free', 'unpaid')).toThrow(tooMany)
  expect(() => hold('c', 'free', 'unpaid')).toThrow(tooMany)
  hold('paying')
  hold('paying')
  expect(answers.open()).toBe(6)
})

test('who keeps an answer waiting and takes less than the least rate is cut off, and who waits for the server is not', async () => {
  const hold = holding(createOpenAnswers({ ...roomy, slow: { seconds: 10, bytesPerSecond: 100 } }))
  const ended: string[] = []
  const reader = (name: string, bytesASecond: number, left: number) => {
    const raw = hold(name)
    raw.once('close', () => ended.push(name))
    raw.socket.writableLength = left
    const timer = setInterval(() => {
      raw.socket.bytesWritten += bytesASecond
    }, 1_000)
    raw.once('close', () => clearInterval(timer))
    return raw
  }
  const [slow, fast, served] = [reader('slow', 99, 500), reader('fast', 200, 500), reader('served', 1, 0)]
  slow.socket.bytesWritten = 500
  fast.socket.bytesWritten = 500
  await vi.advanceTimersByTimeAsync(9_000)
  expect(ended).toEqual([])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(ended).toEqual(['slow'])
  expect([fast.listenerCount('close'), served.listenerCount('close')]).toEqual([3, 3])
})

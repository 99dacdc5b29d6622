import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { createOpenAnswers } from '../../../src/api/open-answers.ts'

function callOf(accountId: string) {
  const raw = Object.assign(new EventEmitter(), {
    idle: 0,
    leave: () => {},
    setTimeout: (ms: number, cut: () => void) => Object.assign(raw, { idle: ms, leave: cut }),
    destroy: () => raw.emit('close'),
  })
  return { raw, request: { principal: { accountId } } as FastifyRequest, reply: { raw } as unknown as FastifyReply }
}

test('of one account and of a process only so many answers are open, and one that ends makes room', () => {
  const answers = createOpenAnswers({ perAccount: 2, inAll: 3, idleSeconds: 9 })
  const hold = (accountId: string) => {
    const { raw, request, reply } = callOf(accountId)
    answers.hold(request, reply)
    return raw
  }
  const first = hold('a')
  hold('a')
  expect(() => hold('a')).toThrow(expect.objectContaining({ code: 'TOO_MANY_CONCURRENT' }))
  const other = hold('b')
  expect(() => hold('b')).toThrow(expect.objectContaining({ code: 'TOO_MANY_CONCURRENT' }))
  first.emit('close')
  expect(() => hold('a')).not.toThrow()
  expect(() => hold('c')).toThrow(expect.objectContaining({ code: 'TOO_MANY_CONCURRENT' }))
  // A caller who takes nothing is cut off, and its answer counts no longer.
  expect(other.idle).toBe(9_000)
  other.leave()
  expect(() => hold('c')).not.toThrow()
})

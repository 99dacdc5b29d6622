import { expect, test } from 'vitest'
import { CachedAnswer } from '../../../connectors/cached-answer.ts'

function asked<Answer>(answer: () => Answer, goodForMs?: number) {
  const clock = { ms: 1_000, asks: 0 }
  const ask = async () => {
    clock.asks += 1
    return answer()
  }
  return { clock, once: new CachedAnswer(ask, goodForMs, () => clock.ms) }
}

test('later askers share the first answer, also those who ask before it came', async () => {
  const { clock, once } = asked(() => 'fields')
  expect(await Promise.all([once.get(), once.get()])).toEqual(['fields', 'fields'])
  clock.ms += 1e9
  expect(await once.get()).toBe('fields')
  expect(clock.asks).toBe(1)
})

test('an answer that is good for a time is asked for anew once that is over', async () => {
  const { clock, once } = asked(() => 'fields', 60_000)
  await once.get()
  clock.ms += 59_999
  await once.get()
  expect(clock.asks).toBe(1)
  clock.ms += 1
  await Promise.all([once.get(), once.get()])
  expect(clock.asks).toBe(2)
})

test('a renewal counts as a change where the answer is another one, maps included', async () => {
  const fields = new Map([['City', 40]])
  const { once } = asked(() => new Map(fields))
  await once.renew()
  expect(once.changes).toBe(0)
  await once.get()
  await once.renew()
  expect(once.changes).toBe(0)
  fields.set('City', 5)
  await once.renew()
  expect(once.changes).toBe(1)
  expect(await once.get()).toEqual(fields)
})

test('a failure is not kept', async () => {
  let fails = true
  const { once } = asked(() => {
    if (fails) throw new Error('away')
    return 'fields'
  })
  await expect(once.get()).rejects.toThrow('away')
  fails = false
  expect(await once.get()).toBe('fields')
})

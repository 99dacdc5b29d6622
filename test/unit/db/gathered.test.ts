import { expect, test } from 'vitest'
import { gathered, gatheredRecords } from '../../../src/db/gathered.ts'

/** A database whose statements end when the test says so. */
function heldStatements() {
  const begun: { readonly asked: readonly string[]; end(error?: Error): Promise<void> }[] = []
  const answerAll = (asked: readonly string[]) =>
    new Promise<string[]>((resolve, reject) => {
      const end = async (error?: Error) => {
        if (error) reject(error)
        else resolve(asked.map((each) => `of ${each}`))
        await turn()
      }
      begun.push({ asked, end })
    })
  return { begun, answerAll }
}

const turn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)))

test('what is asked in the same turn goes in one statement, and everybody gets the own answer', async () => {
  const { begun, answerAll } = heldStatements()
  const ask = gathered(answerAll, { batchMax: 10, atOnce: 1 })
  const answers = Promise.all(['a', 'b', 'a'].map(ask))
  await turn()
  expect(begun.map(({ asked }) => asked)).toEqual([['a', 'b', 'a']])
  await begun[0]?.end()
  expect(await answers).toEqual(['of a', 'of b', 'of a'])
})

test('a question is never answered by a statement that began before it was asked', async () => {
  const { begun, answerAll } = heldStatements()
  const ask = gathered(answerAll, { batchMax: 10, atOnce: 1 })
  const before = ask('a')
  await turn()
  const after = ask('a')
  await turn()
  expect(begun).toHaveLength(1)
  await begun[0]?.end()
  expect(begun.map(({ asked }) => asked)).toEqual([['a'], ['a']])
  await begun[1]?.end()
  expect(await Promise.all([before, after])).toEqual(['of a', 'of a'])
})

test('no statement takes more than its share, and no more are under way than may be', async () => {
  const { begun, answerAll } = heldStatements()
  const ask = gathered(answerAll, { batchMax: 2, atOnce: 2 })
  const answers = Promise.all(['a', 'b', 'c', 'd', 'e'].map(ask))
  await turn()
  expect(begun.map(({ asked }) => asked)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  await begun[1]?.end()
  expect(begun[2]?.asked).toEqual(['e'])
  await begun[0]?.end()
  await begun[2]?.end()
  expect(await answers).toHaveLength(5)
})

test('a statement that fails fails those alone who asked in it', async () => {
  const { begun, answerAll } = heldStatements()
  const ask = gathered(answerAll, { batchMax: 1, atOnce: 1 })
  const settled = Promise.allSettled(['a', 'b'].map(ask))
  await turn()
  await begun[0]?.end(new Error('away'))
  await begun[1]?.end()
  expect(await settled).toEqual([
    { status: 'rejected', reason: new Error('away') },
    { status: 'fulfilled', value: 'of b' },
  ])
})

test('a record that many ask for is read once, and one that is not there is undefined', async () => {
  const asked: string[][] = []
  const read = gatheredRecords(
    async (identifiers) => {
      asked.push([...identifiers])
      return identifiers.filter((each) => each !== 'none').map((id) => ({ id }))
    },
    ({ id }) => id,
  )
  expect(await Promise.all(['a', 'none', 'b', 'a'].map(read))).toEqual([
    { id: 'a' },
    undefined,
    { id: 'b' },
    { id: 'a' },
  ])
  expect(asked).toEqual([['a', 'none', 'b']])
})

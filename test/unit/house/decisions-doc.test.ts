/** docs/decisions.md can be cited by number: entries count up without a gap, each with a day, a part and a status. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const text = readFileSync(fileURLToPath(new URL('../../../docs/decisions.md', import.meta.url)), 'utf8')

interface Entry {
  readonly number: number
  readonly state: string
}

function entriesOf(document: string): Entry[] {
  return document
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [heading = '', , state = ''] = part.split('\n')
      return { number: Number(/^(\d+)\. \S/.exec(heading)?.[1]), state }
    })
}

const stateLine = /^\d{4}-\d{2}-\d{2} · [^·]+ · (?:accepted|superseded by (\d+))$/

test('the entries of docs/decisions.md are numbered from 1 without a gap', () => {
  const numbers = entriesOf(text).map(({ number }) => number)
  expect(numbers.length).toBeGreaterThan(100)
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
})

test('every entry names its day, its part and its status, and a superseded one the later entry', () => {
  for (const { number, state } of entriesOf(text)) {
    const read = stateLine.exec(state)
    expect(read, `entry ${number}: ${state}`).not.toBeNull()
    const later = read?.[1]
    if (later) expect(Number(later)).toBeGreaterThan(number)
  }
})

import { expect, test } from 'vitest'
import { withinDescriptors } from '../../../src/limits/descriptor-limit.ts'

test.each([
  ['as many as were wanted, where there is room', 1000, 65_536, 1000],
  ['what the database and the files of the process leave', 1000, 1024, 824],
  ['few, where there are hardly any descriptors', 1000, 100, 8],
])('connections are bounded by the file descriptors of the process: %s', (_, wanted, limit, expected) => {
  expect(withinDescriptors(wanted, limit)).toBe(expected)
})

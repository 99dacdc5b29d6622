import { expect, test } from 'vitest'
import { pick } from '../../../scripts/test-quick.ts'

const near = 'test/integration/near.test.ts'
const far = 'test/integration/far.test.ts'

test('the quick tests are those with the fewest imports to the change, within their time', () => {
  const distance = new Map([
    [far, 4],
    [near, 1],
    ['src/part.ts', 0],
    ['test/unit/part.test.ts', 1],
  ])
  expect(pick(distance, new Map())).toEqual([near, far])
  expect(pick(distance, new Map([[near, 149_000]]))).toEqual([near])
  expect(pick(distance, new Map([[near, 151_000]]))).toEqual([far])
})

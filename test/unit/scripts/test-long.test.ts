import { expect, test } from 'vitest'
import { variedTests } from '../../../scripts/test-long.ts'

test('the long run has every test that varies figures, whether it or what it imports names them', () => {
  expect(variedTests()).toEqual(
    expect.arrayContaining([
      'test/faults/killed-worker.test.ts',
      'test/faults/money-gaps.test.ts',
      'test/integration/access/feed-ground.test.ts',
      'test/integration/oracle/files.test.ts',
      'test/story/sixty-days.test.ts',
    ]),
  )
})

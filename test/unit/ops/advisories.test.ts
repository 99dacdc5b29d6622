import { expect, test } from 'vitest'
import { toldOf } from '../../../scripts/advisories.ts'

test.each([
  [{ metadata: { vulnerabilities: { low: 1, high: 0, critical: 0, total: 1 } } }, false, /^1 packages/],
  [{ metadata: { vulnerabilities: { high: 1, critical: 0, total: 1 } } }, true, /1 of them high/],
  [{ metadata: { vulnerabilities: { high: 0, critical: 2, total: 2 } } }, true, /2 critical/],
  [{ statusCode: 405, error: { summary: '405 Method Not Allowed' } }, false, /Nothing was checked/],
])('of %j a release is told whether it may go out', (answer, isFault, text) => {
  expect(toldOf(JSON.stringify(answer))).toEqual({ isFault, text: expect.stringMatching(text) })
})

test('a registry that says nothing at all has checked nothing', () => {
  expect(toldOf('')).toMatchObject({ isFault: false, text: expect.stringContaining('Nothing was checked') })
})

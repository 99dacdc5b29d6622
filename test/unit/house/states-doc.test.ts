/** docs/states.md shows the moves that the statements allow. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { renderStates } from '../../../scripts/render-states.ts'

test('docs/states.md is what the tables of moves say (else: npm run docs)', () => {
  expect(readFileSync(new URL('../../../docs/states.md', import.meta.url), 'utf8')).toBe(renderStates())
})

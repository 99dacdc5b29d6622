/** The table of defects in docs/faults.md: each row names a test file and the title of a test that is in it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const section = readFileSync(join(root, 'docs/faults.md'), 'utf8').split('## How other systems lose leads')[1] ?? ''
const rows = section.split('\n').flatMap((line) => {
  const [, defect = '', file, title] = /^\| (.+?) +\| `(.+?)` +\| (.+?) +\|$/.exec(line) ?? []
  return file === undefined || title === undefined ? [] : [{ defect, file, title }]
})

test('each defect that other systems have is asked by a test of that title', () => {
  expect(rows.length).toBeGreaterThan(20)
  const missing = rows.filter(({ file, title }) => !readFileSync(join(root, file), 'utf8').includes(`'${title}'`))
  expect(missing).toEqual([])
})

/** Objections that cannot be read are told by where they stand, and never by their text, which names somebody. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runPanji } from '../../support/panji-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'panji-objections-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'objections.txt')
writeFileSync(file, 'email asha@example.in\n\n  \nmobile 12345\n')
const kindless = join(folder, 'kindless.txt')
writeFileSync(kindless, '\nasha@example.in\n')

test.each<[string, readonly string[], string]>([
  ['an option', ['--email', 'asha@example.in', '--email', 'secret'], '--email, value 2: this is no e-mail address'],
  ['a line of a file', ['--file', file], `${file}, line 4: this is no mobile number`],
  ['a line without a kind', ['--file', kindless], `${kindless}, line 2: begin the line with its kind: email, mobile,`],
  ['a company', ['--pan', 'AAACR5055K'], '--pan, value 1: this is no PAN of a person'],
])('%s', async (_, options, told) => {
  const { code, stderr } = await runPanji(['suppress', 'add', ...options], { PANJI_DATA_DIR: folder })
  expect([code, stderr]).toEqual([2, expect.stringContaining(told)])
  expect(stderr).not.toMatch(/asha@|secret|12345|AAACR/)
})

test('a missing file is reported with the reason', async () => {
  const { code, stderr } = await runPanji(['suppress', 'add', '--file', '/absent'], { PANJI_DATA_DIR: folder })
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('/absent cannot be read: there is no such file or folder.'),
  ])
})

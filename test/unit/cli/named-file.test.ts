/** Files that a command names, as people write them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { jsonOfFile, textOfFile } from '../../../src/cli/commands/named-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'panji-named-'))
const path = join(folder, 'settings.json')
afterAll(() => rmSync(folder, { recursive: true }))

test('a file that an editor on Windows wrote, with its mark and line ends, is read like any other', () => {
  writeFileSync(path, '\ufeff{\r\n"login_url": "https://example.in"}\r\n')
  expect(jsonOfFile(path, 'settings file')).toEqual({ login_url: 'https://example.in' })
  writeFileSync(path, '\ufeffemail asha@example.in\r\n')
  expect(textOfFile(path)).toBe('email asha@example.in\r\n')
})

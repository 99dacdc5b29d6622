/**
 * A setup file of each test file under `npm run test:record`: records what the file executes, including its child
 * processes.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect } from 'vitest'
import { keepRecord } from '../../scripts/executed/records.ts'
import { merged, takeCalled } from '../../scripts/executed/take.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const test = relative(root, expect.getState().testPath ?? '').replaceAll('\\', '/')
process.env['PANJI_EXECUTED'] ??= mkdtempSync(join(tmpdir(), 'panji-executed-'))
const folder = process.env['PANJI_EXECUTED']
const loaded = `--import=${new URL('../../scripts/executed/child.ts', import.meta.url).href}`
const options = process.env['NODE_OPTIONS'] ?? ''
if (!options.includes(loaded)) process.env['NODE_OPTIONS'] = `${options} ${loaded}`.trim()

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
// Calls of the previous file do not count.
takeCalled()

afterAll(() => {
  const children = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  keepRecord(test, merged([takeCalled(), ...children]))
})

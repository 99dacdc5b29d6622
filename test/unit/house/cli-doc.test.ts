/** docs/cli.md says what the program says of its commands. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { renderCli } from '../../../scripts/render-cli.ts'
import { allCommands, buildProgram } from '../../../src/cli/program.ts'

const text = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8')

test('docs/cli.md is what the commands declare (else: npm run docs)', async () => {
  expect(text).toBe(await renderCli())
})

test('every command has a section with its line of usage', async () => {
  const leaves = allCommands(await buildProgram(async () => {})).filter(({ commands }) => commands.length === 0)
  expect(text.match(/^panji .+$/gm)?.length).toBe(leaves.length)
})

test('the README fits on two screens', () => {
  expect(readFileSync(new URL('../../../README.md', import.meta.url), 'utf8').split('\n').length).toBeLessThan(100)
})

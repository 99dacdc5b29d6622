/** Every command that the operator's pages show is one that the program takes: its words, its options, its arguments. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runProgram } from '../../../src/cli/program.ts'

const docs = new URL('../../../docs/', import.meta.url)

/** `npx panji …` of the shell blocks and of the text, as the words that a shell makes of it. */
const shown = readdirSync(docs)
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => {
    const blocks = [...readFileSync(new URL(name, docs), 'utf8').matchAll(/```sh\n(.*?)```/gs)].map(
      ([, text = '']) => text,
    )
    return blocks
      .flatMap((text) => text.replaceAll('\\\n', ' ').split('\n'))
      .flatMap((line) => {
        const [, command] = /^\s*npx panji (.*)$/.exec(line.replace(/\s+#.*$/, '').replace(/\s+[>|].*$/, '')) ?? []
        return command === undefined ? [] : [{ name, command }]
      })
  })

const wordsOf = (command: string): string[] =>
  [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, bare]) => single ?? double ?? bare ?? '')

class Reached extends Error {}

test('there is much to type', () => {
  expect(shown.length).toBeGreaterThan(50)
})

test.each(shown)('$name: panji $command', async ({ command }) => {
  let told = ''
  const write = (text: string): boolean => {
    told += text
    return true
  }
  const stream = { write } as unknown as NodeJS.WritableStream
  const code = await runProgram(wordsOf(command), {
    stdout: stream,
    stderr: stream,
    contextOf: async () => {
      throw new Reached('its words are right')
    },
  })
  // 1: the program went to work; 2 would be wrong usage.
  expect([code, code === 2 ? told : '']).toEqual([1, ''])
})

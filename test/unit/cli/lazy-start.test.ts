/** What `panji --help` loads: the parser of the command line, and what a fault is told with. All else is loaded by who needs it. */
import { existsSync, readFileSync } from 'node:fs'
import { Command, Help } from 'commander'
import { expect, test } from 'vitest'
import { renderCommandTerms } from '../../../scripts/render-command-terms.ts'
import { commandList } from '../../../src/cli/command-list.ts'
import { allCommands, buildProgram } from '../../../src/cli/program.ts'

const root = new URL('../../../', import.meta.url)

/** Every file and package that is loaded with the file, by imports that stand at its top. */
function loadedWith(entry: URL): Set<string> {
  const loaded = new Set<string>()
  const open = [entry]
  for (let file = open.pop(); file; file = open.pop()) {
    if (loaded.has(file.href) || !existsSync(file)) continue
    loaded.add(file.href)
    for (const line of readFileSync(file, 'utf8').split(/^(?=import )/m)) {
      const [, type, target = ''] = /^import (type )?[^;]*?from '([^']+)'/.exec(line) ?? []
      if (type !== undefined || target === '') continue
      if (target.startsWith('.')) open.push(new URL(target, file))
      else loaded.add(target)
    }
  }
  return loaded
}

const loaded = [...loadedWith(new URL('src/main.ts', root))].map((each) => each.replace(root.href, ''))
const isFile = (each: string) => each.endsWith('.ts') || each.endsWith('.json')

test('help, the version and a mistyped word load the parser of the command line and no other library', () => {
  const libraries = loaded.filter((each) => !isFile(each) && !each.startsWith('node:'))
  expect(libraries).toEqual(['commander'])
})

test('they load no command, and of the rest what tells faults alone', () => {
  const files = loaded.filter(isFile)
  expect(files).toContain('src/cli/command-list.ts')
  expect(
    files.filter((each) => !/^src\/(?:(?:main|composition|errors)\.ts|(?:cli|domain|audit|db)\/)/.test(each)),
  ).toEqual([])
  expect(files.filter((each) => each.startsWith('src/cli/commands/'))).toEqual([])
  expect(files.length).toBeLessThan(25)
})

test('a command and a server load neither the library of the reference page nor the whole of jsforce', () => {
  const libraries = ['src/api/server.ts', 'connectors/index.ts'].flatMap((entry) => [
    ...loadedWith(new URL(entry, root)),
  ])
  expect(libraries).toEqual(expect.arrayContaining(['fastify', '@jsforce/jsforce-node/lib/connection.js']))
  expect(libraries).not.toContain('@scalar/fastify-api-reference')
  expect(libraries).not.toContain('@jsforce/jsforce-node')
})

test('the help that is printed without the commands is the one that they make', async () => {
  const terms = readFileSync(new URL('src/cli/command-terms.json', root), 'utf8')
  expect(terms, 'else: npm run docs').toBe(await renderCommandTerms())
  const helpOf = async (named?: readonly string[]) =>
    (await buildProgram(async () => {}, undefined, named)).helpInformation()
  expect(await helpOf([])).toBe(await helpOf())
})

test('the list gives each command the words that it declares', async () => {
  for (const [words, load] of commandList) {
    const program = new Command()
    ;(await load())(program, async () => {})
    expect(program.commands.map((command) => command.name())).toEqual(words)
  }
})

test('the help of a group of commands names each with the arguments that it takes', async () => {
  const own = new Help()
  for (const command of allCommands(await buildProgram(async () => {}))) {
    const shown = command.commands.map((each) => command.createHelp().subcommandTerm(each))
    expect(shown, command.name()).toEqual(command.commands.map((each) => own.subcommandTerm(each)))
  }
})

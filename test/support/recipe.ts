/**
 * The recipes of CONTRIBUTING.md, followed to the letter in a copy of the tree: what a step says to write is written, so
 * that a recipe which forgets a step fails. A block of code belongs to the file that its step named last: an `sql`, `ts` or `csv` block is the
 * whole file, of a `diff` block a line with `-` goes and each line with `+` goes below the line above it.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const copied = [
  'src',
  'config',
  'jobs',
  'connectors',
  'migrations',
  'client',
  'test/support',
  'test/fixtures/registries',
  'package.json',
]

interface Block {
  readonly language: string
  readonly path: string
  readonly lines: readonly string[]
}

export interface Followed {
  /** The copy of the tree in which the recipe was followed. */
  readonly tree: string
  /** What the recipe says to run. */
  readonly commands: readonly string[]
  remove(): void
}

/**
 * @param further parts of the tree that are needed beside those of the product.
 * @throws Error where a step does not say its file, or a block does not fit the file.
 */
export function followRecipe(title: string, further: readonly string[] = []): Followed {
  const blocks = blocksOf(recipe(title))
  if (blocks.length === 0) throw new Error(`"${title}" has no block of code to follow`)
  const tree = mkdtempSync(join(tmpdir(), 'panji-recipe-'))
  for (const part of [...copied, ...further]) {
    cpSync(join(root, part), join(tree, part), { recursive: true, filter: (path) => !path.includes('node_modules') })
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
  const commands = blocks.flatMap((block) => follow(tree, block))
  return { tree, commands, remove: () => rmSync(tree, { recursive: true, force: true }) }
}

/** Writes what a block says. @returns what it leaves to be run. */
function follow(tree: string, { language, path, lines }: Block): string[] {
  if (language === 'sh') return lines.filter((line) => line !== '' && !isCopied(tree, line))
  if (language === 'diff') insert(join(tree, path), lines)
  else write(join(tree, numbered(tree, path)), lines)
  return []
}

function isCopied(tree: string, command: string): boolean {
  const [, from, to] = /^cp -r (\S+) (\S+)$/.exec(command) ?? []
  if (from === undefined || to === undefined) return false
  cpSync(join(tree, from), join(tree, to), { recursive: true })
  return true
}

function recipe(title: string): string {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const found = text.split(/^## /m).find((section) => section.startsWith(`${title}\n`))
  if (found === undefined) throw new Error(`CONTRIBUTING.md has no recipe "${title}"`)
  return found
}

function blocksOf(text: string): Block[] {
  return text.split(/^\d+\. /m).flatMap((step) =>
    [...step.matchAll(/^ *```(\w+)\n(.*?)^ *```$/gms)].map(({ index, 1: language = '', 2: body = '' }): Block => {
      const path = [...step.slice(0, index).matchAll(/`([\w./-]+\/[\w./-]+\.\w+)`/g)].at(-1)?.[1]
      if (path === undefined && language !== 'sh')
        throw new Error(`a step does not name its file: ${step.slice(0, 60)}`)
      const lines = body.replace(/\n$/, '').split('\n')
      return { language, path: path ?? '', lines: lines.map((line) => line.replace(/^ {3}/, '')) }
    }),
  )
}

/** `NNNN` is the next free number of a migration. */
function numbered(tree: string, path: string): string {
  const last = Math.max(...readdirSync(join(tree, 'migrations')).map((name) => Number.parseInt(name, 10) || 0))
  return path.replace('NNNN', String(last + 1).padStart(4, '0'))
}

function write(path: string, lines: readonly string[]): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${lines.join('\n')}\n`)
}

function insert(path: string, lines: readonly string[]): void {
  const text = readFileSync(path, 'utf8').split('\n')
  let at = -1
  for (const line of lines) {
    if (line.startsWith('+')) {
      if (at === -1) throw new Error(`${path}: nothing stands above ${line}`)
      at += 1
      text.splice(at, 0, line.slice(1))
      continue
    }
    const wanted = line.replace(/^-/, '').trim()
    const places = text.flatMap((each, index) => (each.trim() === wanted ? [index] : []))
    if (places.length !== 1) throw new Error(`${path} has ${places.length} lines that read ${wanted}`)
    at = places[0] ?? -1
    if (line.startsWith('-')) text.splice(at--, 1)
  }
  writeFileSync(path, text.join('\n'))
}

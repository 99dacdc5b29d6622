/**
 * Follows the recipes of CONTRIBUTING.md literally in a tree, so that a recipe which forgets a step fails. A code block
 * belongs to the file that its step named last: an `sql`, `ts` or `csv` block is the whole file; in a `diff` block a
 * line with `-` is removed and each line with `+` is inserted below the line above it.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Block {
  readonly language: string
  readonly path: string
  readonly lines: readonly string[]
}

/** Renames the recipe's example. */
export type Rename = (text: string) => string

/**
 * @returns the commands that the recipe says to run.
 * @throws Error where a step names no file, a block does not fit the file, or a file to create exists already.
 */
export function followRecipeIn(tree: string, title: string, rename: Rename = (text) => text): string[] {
  const blocks = blocksOf(recipe(title)).map(({ language, path, lines }) => ({
    language,
    path: rename(path),
    lines: lines.map(rename),
  }))
  if (blocks.length === 0) throw new Error(`"${title}" has no block of code to follow`)
  return blocks.flatMap((block) => follow(tree, block))
}

/** Writes a block. @returns the commands it leaves to run. */
function follow(tree: string, { language, path, lines }: Block): string[] {
  if (language === 'sh') return lines.filter((line) => line !== '' && !isCopied(tree, line))
  if (language === 'diff') insert(join(tree, path), lines)
  else write(join(tree, numbered(tree, path)), lines)
  return []
}

function isCopied(tree: string, command: string): boolean {
  const [, from, to] = /^cp -r (\S+) (\S+)$/.exec(command) ?? []
  if (from === undefined || to === undefined) return false
  if (existsSync(join(tree, to))) throw new Error(`${to} is there already`)
  cpSync(join(tree, from), join(tree, to), { recursive: true })
  return true
}

function recipe(title: string): string {
  const text = readFileSync(new URL('../CONTRIBUTING.md', import.meta.url), 'utf8')
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

/** `NNNN` is the next free migration number. */
function numbered(tree: string, path: string): string {
  const last = Math.max(...readdirSync(join(tree, 'migrations')).map((name) => Number.parseInt(name, 10) || 0))
  return path.replace('NNNN', String(last + 1).padStart(4, '0'))
}

function write(path: string, lines: readonly string[]): void {
  if (existsSync(path)) throw new Error(`${path} is there already`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${lines.join('\n')}\n`)
}

function insert(path: string, lines: readonly string[]): void {
  const text = readFileSync(path, 'utf8').split('\n')
  let at = -1
  for (const line of lines) {
    if (line.startsWith('+')) {
      if (at === -1) throw new Error(`${path}: no line precedes ${line}`)
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

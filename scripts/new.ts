/**
 * `npm run new -- column active-compliance`, `source bank-branches`, `connector shared-folder`, `operation watchlists
 * count`, `event order.cancelled`: writes what the recipe in CONTRIBUTING.md writes, under that name, and prints what
 * is left to do. The skeleton works like the recipe's example; replace its words and columns with your own.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Rename, renameOf } from './new-names.ts'
import { followRecipeIn } from './recipe.ts'

interface Kind {
  readonly recipe: string
  /** How each name is written. */
  readonly names: readonly RegExp[]
  readonly rename: (...names: string[]) => Rename
  /** What depends on the names, so that no block can contain it. */
  readonly extra?: (tree: string, ...names: string[]) => void
}

const kebab = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

export const kinds: Readonly<Record<string, Kind>> = {
  column: { recipe: 'Add a column', names: [kebab], rename: (name) => renameOf('active-compliance', name) },
  source: { recipe: 'Add a source', names: [kebab], rename: (name) => renameOf('bank-branches', name) },
  connector: { recipe: 'Add a connector', names: [kebab], rename: (name) => renameOf('shared-folder', name) },
  operation: {
    recipe: 'Add an operation',
    names: [kebab, kebab],
    rename: (resource, verb) => (text) => renameOf('count', verb)(renameOf('watchlists', resource)(text)),
    extra: listOperation,
  },
  event: {
    recipe: 'Add an event',
    names: [/^[a-z]+\.[a-z_]+$/],
    rename: (type) => (text) => text.replaceAll('order.cancelled', type ?? ''),
  },
}

/**
 * @returns the commands that the recipe says to run. @throws Error for another kind or name, and where the recipe does
 * not fit the tree.
 */
export function writeNew(tree: string, [kind = '', ...names]: readonly string[]): string[] {
  const found = kinds[kind]
  if (!found) throw new Error(`"${kind}" is none of ${Object.keys(kinds).join(', ')}`)
  const wrong = found.names.findIndex((form, index) => !form.test(names[index] ?? ''))
  if (wrong !== -1 || names.length > found.names.length)
    throw new Error(`${kind} takes ${found.names.length} name, each as ${found.names.join(' ')}: see the examples`)
  const commands = followRecipeIn(tree, found.recipe, found.rename(...names))
  found.extra?.(tree, ...names)
  return commands
}

/** Added to the list of its resource; a new resource is added to the list of all. */
function listOperation(tree: string, resource = '', verb = ''): void {
  const folder = join(tree, 'src/api/operations')
  const index = join(folder, resource, 'index.ts')
  const camel = renameOf('x-y', resource)('xY')
  const name = renameOf('x-y', verb)('xY')
  if (!existsSync(index)) {
    mkdirSync(join(folder, resource), { recursive: true })
    const list = `export const ${camel}: readonly Operation[] = []\n`
    writeFileSync(index, `import type { Operation } from '../../operation.ts'\n\n${list}`)
    change(join(folder, 'index.ts'), [
      [/^import type .*\n/m, (line) => `${line}import { ${camel} } from './${resource}/index.ts'\n`],
      [/readonly Operation\[\] = \[\n/, (line) => `${line}  ...${camel},\n`],
    ])
  }
  change(index, [
    [/^import type .*\n/m, (line) => `${line}import ${name} from './${verb}.ts'\n`],
    [/readonly Operation\[\] = \[/, (line) => `${line}${name}, `],
  ])
}

function change(path: string, changes: readonly (readonly [RegExp, (found: string) => string])[]): void {
  const text = changes.reduce((before, [at, to]) => before.replace(at, to), readFileSync(path, 'utf8'))
  writeFileSync(path, text)
}

if (import.meta.main) {
  const commands = writeNew(fileURLToPath(new URL('../', import.meta.url)), process.argv.slice(2))
  console.log(
    ['Written; read it with `git diff`, format it, and make its words your own. Then:', ...commands].join('\n  '),
  )
}

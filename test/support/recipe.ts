/** The recipes of CONTRIBUTING.md, followed in a copy of the tree: see scripts/recipe.ts. */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { followRecipeIn } from '../../scripts/recipe.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const copied = [
  'src',
  'config',
  'jobs',
  'connectors',
  'sandboxes',
  'sample',
  'migrations',
  'client',
  'test/support',
  'test/fixtures/registries',
  'package.json',
]

export interface Copied {
  /** The copy of the tree. */
  readonly tree: string
  remove(): void
}

export interface Followed extends Copied {
  /** The commands that the recipe says to run. */
  readonly commands: readonly string[]
}

/** @param further parts of the tree that are needed in addition to the product. */
export function copyTree(further: readonly string[] = []): Copied {
  const tree = mkdtempSync(join(tmpdir(), 'panji-recipe-'))
  for (const part of [...copied, ...further]) {
    cpSync(join(root, part), join(tree, part), { recursive: true, filter: (path) => !path.includes('node_modules') })
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
  return { tree, remove: () => rmSync(tree, { recursive: true, force: true }) }
}

/** @throws Error where a step names no file, or a block does not fit the file. */
export function followRecipe(title: string, further: readonly string[] = []): Followed {
  const made = copyTree(further)
  return { ...made, commands: followRecipeIn(made.tree, title) }
}

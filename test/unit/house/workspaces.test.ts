/** The workspaces whose files the package of Panji carries: each says itself which packages it needs. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'

interface Manifest {
  readonly version: string
  readonly workspaces?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
}

const root = join(import.meta.dirname, '../../..')
const manifestOf = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
const panji = manifestOf('.')

/** `csv-parse/sync` is of `csv-parse`, `@scope/name/part` of `@scope/name`. */
const packageOf = (specifier: string) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier

function packagesOf(folder: string): string[] {
  const specifiers = globSync(`${folder}/**/*.ts`, { cwd: root }).flatMap((path) =>
    parseSync(path, readFileSync(join(root, path), 'utf8')).module.staticImports.map(
      ({ moduleRequest }) => moduleRequest.value,
    ),
  )
  return [...new Set(specifiers.filter((name) => !/^(?:\.|node:)/.test(name)).map(packageOf))].sort()
}

test.each(['sandboxes', 'sample'])(
  '%s names the packages that it imports, in the versions that Panji brings',
  (folder) => {
    const { version, dependencies = {} } = manifestOf(folder)
    expect(panji.workspaces).toContain(folder)
    expect(version).toBe(panji.version)
    expect(dependencies).toEqual(
      Object.fromEntries(packagesOf(folder).map((name) => [name, panji.dependencies?.[name]])),
    )
  },
)

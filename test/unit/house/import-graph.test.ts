import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { circles, importGraph } from './import-graph.ts'

const root = new URL('../../../', import.meta.url)
const files = ['config', 'connectors', 'jobs', 'sample', 'sandboxes', 'src', 'web/src'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .map((path) => ({ path, source: readFileSync(new URL(path, root), 'utf8') })),
)

test('no files import each other in a circle, and at every level folders import downward only', () => {
  expect(circles(importGraph(files))).toEqual([])
})

const planted = (...lines: readonly (readonly [string, string])[]) =>
  importGraph(lines.map(([path, target]) => ({ path, source: `import { a } from '${target}'` })))

test('a planted circle of files is caught', () => {
  expect(circles(planted(['src/a.ts', './b.ts'], ['src/b.ts', './c.ts'], ['src/c.ts', './a.ts']))).toEqual([
    'files in a circle: src/a.ts → src/b.ts → src/c.ts → src/a.ts',
  ])
})

test('a planted circle of folders is caught although no circle of files is in it', () => {
  const graph = planted(
    ['src/w/up/a.ts', '../down/b.ts'],
    ['src/w/down/c.ts', '../up/d.ts'],
    ['src/w/down/b.ts', './e.ts'],
    ['src/w/down/e.ts', './f.ts'],
    ['src/w/up/d.ts', './g.ts'],
  )
  expect(circles(graph)).toEqual(['circle within src/w: src/w/up → src/w/down → src/w/up'])
})

test('a file that lies between two folders of its own folder is no circle', () => {
  const graph = planted(
    ['src/w/open.ts', './x/read.ts'],
    ['src/w/x/read.ts', '../found.ts'],
    ['src/w/found.ts', './none.ts'],
  )
  expect(circles(graph)).toEqual([])
})

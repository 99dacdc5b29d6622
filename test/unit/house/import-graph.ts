/**
 * The shape of the house beyond the doors between its wings: at every level, whether it is files or folders that lie
 * beside each other, imports run one way. A circle of two folders is one even where no circle of files is in it.
 */
import { posix } from 'node:path'
import { importsOf } from './import-rules.ts'

export interface SourceFile {
  /** Relative to the repository. */
  readonly path: string
  readonly source: string
}

/** Each file with the files that it imports, of those given. */
export function importGraph(files: readonly SourceFile[]): Map<string, readonly string[]> {
  const known = new Set(files.map(({ path }) => path))
  return new Map(
    files.map(({ path, source }) => [path, importsOf(path, source).filter((target) => known.has(target))] as const),
  )
}

/** @returns a sentence per circle: first of files, then of what lies beside each other in one folder. */
export function circles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const ofFiles = circlesIn(graph).map((circle) => `files in a circle: ${circle.join(' → ')}`)
  const ofFolders = foldersOf([...graph.keys()]).flatMap((folder) =>
    circlesIn(childGraph(graph, folder))
      .filter((circle) => circle.some((child) => !graph.has(child)))
      .map((circle) => `circle within ${folder}: ${circle.join(' → ')}`),
  )
  return [...ofFiles, ...ofFolders]
}

function foldersOf(paths: readonly string[]): string[] {
  const folders = new Set<string>()
  for (const path of paths) {
    for (let at = posix.dirname(path); at !== '.'; at = posix.dirname(at)) folders.add(at)
  }
  return [...folders].sort()
}

/** The folder's own files and its folders, a folder standing for all within it. */
function childGraph(graph: ReadonlyMap<string, readonly string[]>, folder: string): Map<string, readonly string[]> {
  const childOf = (path: string) =>
    path.startsWith(`${folder}/`) ? path.slice(0, ends(path.indexOf('/', folder.length + 1), path.length)) : undefined
  const edges = new Map<string, Set<string>>()
  for (const [path, targets] of graph) {
    const from = childOf(path)
    if (from === undefined) continue
    const to = edges.get(from) ?? new Set<string>()
    edges.set(from, to)
    for (const target of targets.map(childOf)) if (target !== undefined && target !== from) to.add(target)
  }
  return new Map([...edges].map(([from, to]) => [from, [...to]] as const))
}

const ends = (index: number, length: number): number => (index < 0 ? length : index)

/** One circle for each that a depth-first walk closes; none exactly where the graph has none. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = []
  const done = new Set<string>()
  const walk = (node: string, path: readonly string[]): void => {
    const at = path.indexOf(node)
    if (at >= 0) {
      found.push([...path.slice(at), node])
      return
    }
    if (done.has(node)) return
    for (const next of graph.get(node) ?? []) walk(next, [...path, node])
    done.add(node)
  }
  for (const node of graph.keys()) walk(node, [])
  return found
}

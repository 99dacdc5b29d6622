/**
 * `node scripts/complete-lockfile.ts`: adds an entry to package-lock.json for every platform package that npm left out,
 * fetches missing integrity values from the registry, drops packages that the registry does not have, and removes
 * engine requirements that the pinned Node meets.
 *
 * npm leaves out a platform package when its registry does not have it, and then refuses the lock file at `npm ci`.
 * An entry with version, os and cpu is sufficient: other platforms skip the package without fetching it. Without an
 * integrity value its own platform would accept any content, so a package that the registry does not have is dropped
 * together with the optional dependency on it, and that platform goes without the tool until a registry has the
 * integrity.
 *
 * npm may run on Node 20, while Panji runs on the Node it pins, so npm's page of warnings is no failure. A
 * requirement that the pinned Node does not meet stays, and npm reports it.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

interface LockEntry {
  version?: string
  integrity?: string
  link?: boolean
  inBundle?: boolean
  hasInstallScript?: boolean
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  engines?: Record<string, string> | string[]
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

export interface Lockfile {
  packages: Record<string, LockEntry>
}

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
  'windows',
]
const processors: Readonly<Record<string, string>> = {
  arm64: 'arm64',
  aarch64: 'arm64',
  arm: 'arm',
  x64: 'x64',
  x86_64: 'x64',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  loong64: 'loong64',
  mips64el: 'mips64el',
  wasm32: 'wasm32',
}

/** Optional dependencies that the lock file names but does not contain, as [path, version, is for development]. */
export function missingPlatformPackages(lock: Lockfile): { path: string; version: string; dev: boolean }[] {
  return Object.entries(lock.packages).flatMap(([owner, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !lock.packages[`node_modules/${name}`] && !lock.packages[`${owner}/node_modules/${name}`])
      .map(([name, version]) => ({ path: `node_modules/${name}`, version, dev: entry.dev ?? false })),
  )
}

/** Paths of packages without an integrity value. */
export function unverifiedPackages(lock: Lockfile): string[] {
  return Object.entries(lock.packages).flatMap(([path, { integrity, link }]) =>
    path.includes('node_modules/') && link !== true && integrity === undefined ? [path] : [],
  )
}

/** Parses os, cpu and libc from a name such as `@oxlint/binding-linux-arm64-musl`. */
export function platformOf(path: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> {
  const words = path.split(/[/.-]/)
  const system = words.find((word) => systems.includes(word))
  const processor = words
    .map((word) => (word.startsWith('arm') && word !== 'arm64' ? 'arm' : word))
    .find((word) => processors[word])
  const libc = words.find((word) => ['musl', 'musleabihf', 'gnu', 'gnueabihf'].includes(word))
  return {
    ...(system ? { os: [system === 'windows' ? 'win32' : system] } : {}),
    ...(processor ? { cpu: [processors[processor] ?? processor] } : {}),
    ...(libc && system === 'linux' ? { libc: [libc.startsWith('musl') ? 'musl' : 'glibc'] } : {}),
  }
}

/** The oldest Node whose npm may install Panji: `engines` of package.json. */
const oldestNode = '20.19.0'

/** Packages whose requirement the oldest Node does not meet and the pinned one does. */
export function needlessDemands(lock: Lockfile): string[] {
  const pinned = lock.packages['']?.dependencies?.['node']
  if (pinned === undefined) return []
  return Object.entries(lock.packages).flatMap(([path, { engines }]) => {
    const range = engines && !Array.isArray(engines) ? engines['node'] : undefined
    if (path === '' || range === undefined) return []
    return meets(oldestNode, range) || !meets(pinned, range) ? [] : [path]
  })
}

/** Parses the two forms that package authors use, `>=22.12` and `^24.0.0`; any other form counts as not met. */
export function meets(version: string, range: string): boolean {
  return range.split('||').some((alternative) => {
    const [, form, major = '', rest = ''] = /^(>=|\^) ?v?(\d+)((?:\.\d+){0,2})$/.exec(alternative.trim()) ?? []
    if (form === undefined || (form === '^' && version.split('.')[0] !== major)) return false
    return version.localeCompare(`${major}${rest}`, 'en', { numeric: true }) >= 0
  })
}

export function completeLockfile(lock: Lockfile): Lockfile {
  const added = missingPlatformPackages(lock).map(({ path, version, dev }): [string, LockEntry] => [
    path,
    { version: version.replace(/^[~^]/, ''), ...platformOf(path), ...(dev ? { dev } : {}), optional: true },
  ])
  const needless = new Set(needlessDemands(lock))
  const packages = Object.entries({ ...lock.packages, ...Object.fromEntries(added) }).map(([path, entry]) => {
    const { engines: _, ...others } = entry
    return [path, needless.has(path) ? others : entry] as const
  })
  packages.sort(([one], [other]) => (one < other ? -1 : 1))
  return { ...lock, packages: Object.fromEntries(packages) }
}

/** Removes the packages at these paths, which are optional, and the dependencies on them. */
export function withoutPackages(lock: Lockfile, paths: ReadonlySet<string>): Lockfile {
  const names = new Set([...paths].map((path) => path.replace(/^.*node_modules\//, '')))
  const packages = Object.entries(lock.packages).flatMap(([path, entry]): [string, LockEntry][] => {
    if (paths.has(path)) return []
    if (!entry.optionalDependencies) return [[path, entry]]
    const wished = Object.entries(entry.optionalDependencies).filter(([name]) => !names.has(name))
    return [[path, { ...entry, optionalDependencies: Object.fromEntries(wished) }]]
  })
  return { ...lock, packages: Object.fromEntries(packages) }
}

/** From the registry; undefined where it has no such package. */
function integrityOf(path: string, version: string | undefined): string | undefined {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const viewed = spawnSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], { encoding: 'utf8' })
  return /^sha512-\S+$/.exec(viewed.stdout.trim())?.[0]
}

if (import.meta.main) {
  const path = new URL('../package-lock.json', import.meta.url)
  const lock = JSON.parse(readFileSync(path, 'utf8')) as Lockfile
  const missing = missingPlatformPackages(lock)
  const needless = needlessDemands(lock)
  const completed = completeLockfile(lock)
  for (const each of unverifiedPackages(completed)) {
    const entry = completed.packages[each]
    const integrity = integrityOf(each, entry?.version)
    if (entry && integrity !== undefined) entry.integrity = integrity
  }
  const unverified = unverifiedPackages(completed)
  const needed = unverified.filter((each) => completed.packages[each]?.optional !== true)
  if (needed.length > 0) throw new Error(`the registry has no integrity for ${needed.join(', ')}`)
  writeFileSync(path, `${JSON.stringify(withoutPackages(completed, new Set(unverified)), undefined, 2)}\n`)
  console.log(
    `dropped ${unverified.length} optional packages that this registry does not carry; their platforms go without`,
  )
  for (const each of unverified) console.log(`  ${each}`)
  console.log(`added ${missing.length} platform packages to package-lock.json`)
  for (const each of missing) console.log(`  ${each.path} ${each.version} ${JSON.stringify(platformOf(each.path))}`)
  console.log(`dropped ${needless.length} demands that the pinned Node meets`)
}

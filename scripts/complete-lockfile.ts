/**
 * `node scripts/complete-lockfile.ts`: gives package-lock.json an entry for every platform package that npm left out.
 *
 * npm leaves a platform package out when the registry it asked does not carry it, and then refuses the lock file at
 * `npm ci`. An entry with version, os and cpu is all it needs: on other platforms the package is skipped unfetched.
 */
import { readFileSync, writeFileSync } from 'node:fs'

interface LockEntry {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
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

/** Optional dependencies that the lock file names but does not hold, as [path, version, belongs to development]. */
export function missingPlatformPackages(lock: Lockfile): { path: string; version: string; dev: boolean }[] {
  return Object.entries(lock.packages).flatMap(([owner, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !lock.packages[`node_modules/${name}`] && !lock.packages[`${owner}/node_modules/${name}`])
      .map(([name, version]) => ({ path: `node_modules/${name}`, version, dev: entry.dev ?? false })),
  )
}

/** Reads os, cpu and libc off a name like `@oxlint/binding-linux-arm64-musl`. */
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

export function completeLockfile(lock: Lockfile): Lockfile {
  const added = missingPlatformPackages(lock).map(({ path, version, dev }): [string, LockEntry] => [
    path,
    { version: version.replace(/^[~^]/, ''), ...platformOf(path), ...(dev ? { dev } : {}), optional: true },
  ])
  const packages = Object.entries({ ...lock.packages, ...Object.fromEntries(added) })
  packages.sort(([one], [other]) => (one < other ? -1 : 1))
  return { ...lock, packages: Object.fromEntries(packages) }
}

if (import.meta.main) {
  const path = new URL('../package-lock.json', import.meta.url)
  const lock = JSON.parse(readFileSync(path, 'utf8')) as Lockfile
  const missing = missingPlatformPackages(lock)
  writeFileSync(path, `${JSON.stringify(completeLockfile(lock), undefined, 2)}\n`)
  console.log(`added ${missing.length} platform packages to package-lock.json`)
  for (const each of missing) console.log(`  ${each.path} ${each.version} ${JSON.stringify(platformOf(each.path))}`)
}

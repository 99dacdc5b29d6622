/**
 * `compose.yaml` beside what it starts: the image, the environment that the program reads, and the commands that it has. No
 * daemon is asked; docs/shipping.md tells of its services started for real.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { allCommands, buildProgram } from '../../../src/cli/program.ts'
import { EnvSchema, readEnv } from '../../../src/settings/env.ts'

const text = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const dockerfile = text('Dockerfile')

interface Service {
  readonly image: string
  readonly env_file: readonly string[]
  readonly environment?: Readonly<Record<string, unknown>>
  readonly command: readonly string[]
  readonly user?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly tmpfs?: readonly string[]
  readonly volumes: readonly string[]
  readonly ports?: readonly string[]
  readonly restart: string
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: { readonly test: readonly string[] }
}

const compose = parse(text('compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}
const { postgres, ...panji } = compose.services
const roles = ['api', 'worker', 'scheduler']
const serviceOf = (name: string): Service => {
  const found = compose.services[name]
  if (!found) throw new Error(`compose.yaml has no service ${name}`)
  return found
}
const exampleOf = (service: string) => parseEnv(text(`${serviceOf(service).env_file[0]}.example`))
const imageEnv = Object.fromEntries(
  [...(/^ENV ((?:.*\\\n)*.*)$/m.exec(dockerfile)?.[1]?.matchAll(/(\w+)=(\S+)/g) ?? [])].map(([, name, value]) => [
    name,
    value,
  ]),
) as Record<string, string>

test('each role runs the one image, without privileges, on a read-only file system', () => {
  expect(Object.keys(panji).sort()).toEqual([...roles, 'migrate'].sort())
  const user = /^USER (.*)$/m.exec(dockerfile)?.[1]
  for (const service of Object.values(panji)) {
    expect(service).toMatchObject({
      image: serviceOf('migrate').image,
      user,
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      tmpfs: ['/tmp'],
    })
  }
  expect(postgres?.image).toBe('postgres:18')
})

test('what is written lies in a volume, where the image keeps its data', () => {
  const folder = imageEnv['PANJI_DATA_DIR']
  expect(dockerfile).toContain(`VOLUME ${folder}\n`)
  for (const { volumes } of Object.values(panji)) expect(volumes).toEqual([`panji:${folder}`])
  // Since 18 the image of PostgreSQL has its data in a folder of the version below this one.
  expect(postgres?.volumes).toEqual(['postgres:/var/lib/postgresql'])
  expect(Object.keys(compose.volumes).sort()).toEqual(['panji', 'postgres'])
})

test('each command is one of the program', async () => {
  const commands = allCommands(await buildProgram(async () => {}))
  for (const { command } of Object.values(panji)) {
    const found = commands.find((each) => each.name() === command[0])
    expect(found, command.join(' ')).toBeDefined()
    const choices = found?.options.find(({ long }) => long === command[1])?.argChoices
    if (command.length > 1) expect(choices).toContain(command[2])
  }
})

test('roles wait for the migrations, and those for the database', () => {
  expect(serviceOf('migrate')).toMatchObject({
    restart: 'no',
    depends_on: { postgres: { condition: 'service_healthy' } },
  })
  for (const role of roles) {
    expect(serviceOf(role)).toMatchObject({
      restart: 'unless-stopped',
      depends_on: {
        postgres: { condition: 'service_healthy' },
        migrate: { condition: 'service_completed_successfully' },
      },
    })
  }
})

test('no secret stands in it: each is read from a file that is not committed', () => {
  expect(text('compose.yaml')).not.toMatch(/PASSWORD|SECRET|TOKEN/)
  expect(text('.gitignore')).toContain('*.env\n')
})

test('the files of the environment name variables of the program, and the database that the other service makes', () => {
  const given = exampleOf('api')
  const names = [...Object.keys(given), ...Object.values(panji).flatMap((each) => Object.keys(each.environment ?? {}))]
  expect(names.filter((name) => !(name in EnvSchema.shape))).toEqual([])
  const url = new URL(given['DATABASE_URL'] ?? '')
  const { POSTGRES_USER: user, POSTGRES_DB: name, POSTGRES_PASSWORD: password } = exampleOf('postgres')
  expect([url.username, url.password, url.hostname, url.port, url.pathname]).toEqual([
    user,
    password,
    'postgres',
    '5432',
    `/${name}`,
  ])
  expect(postgres?.healthcheck?.test).toEqual(expect.arrayContaining([`--username=${user}`, `--dbname=${name}`]))
})

test('filled in as the files say, the environment of each role is one that the program takes', () => {
  const filled = { ...exampleOf('api'), PANJI_SECRET_KEY: 'x'.repeat(44), PANJI_OPERATOR_TOKEN: 'y'.repeat(44) }
  for (const { environment = {} } of Object.values(panji)) {
    const own = Object.fromEntries(Object.entries(environment).map(([variable, value]) => [variable, String(value)]))
    const env = readEnv({ ...imageEnv, ...filled, ...own })
    expect(env).toMatchObject({ PANJI_SAMPLE: 'off', PANJI_DATA_DIR: '/var/lib/panji', HOST: '0.0.0.0', PORT: 8080 })
  }
})

test('the database takes the connections of all three processes at once', () => {
  const env = readEnv({})
  const ofProcess = env.PANJI_API_CONNECTIONS + env.PANJI_EXPENSIVE_READS + env.PANJI_JOB_CONNECTIONS + 5
  const connectionsMax = Number(/max_connections=(\d+)/.exec(postgres?.command.join(' ') ?? '')?.[1])
  expect(connectionsMax).toBeGreaterThan(roles.length * ofProcess)
})

test('the API is published on the loopback of the machine alone, from the port that it listens on', () => {
  expect(serviceOf('api').ports).toEqual([`127.0.0.1:\${PANJI_PORT:-8080}:${imageEnv['PORT']}`])
  expect(dockerfile).toContain(`EXPOSE ${imageEnv['PORT']}\n`)
  for (const name of ['postgres', 'migrate', 'worker', 'scheduler']) expect(serviceOf(name).ports).toBeUndefined()
})

test.each(roles)('the health of %s is asked for where it tells it, and what it answers counts', async (role) => {
  const { environment, healthcheck } = serviceOf(role)
  const port = String(environment?.['PANJI_PROBE_PORT'] ?? imageEnv['PORT'])
  const [kind, ...command] = healthcheck?.test ?? []
  expect([kind, command[0]]).toEqual(['CMD', 'node'])
  expect(command.at(-1)).toContain(`http://127.0.0.1:${port}/readyz`)
  let status = 200
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/readyz' ? status : 404).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const here = String((server.address() as AddressInfo).port)
  const ends = async () => {
    const asked = command.slice(1).map((word) => word.replace(`127.0.0.1:${port}/`, `127.0.0.1:${here}/`))
    const [code] = await once(spawn(process.execPath, asked, { stdio: 'ignore' }), 'exit')
    return code as number
  }
  expect(await ends()).toBe(0)
  status = 503
  expect(await ends()).toBe(1)
  server.closeAllConnections()
  await once(server.close(), 'close')
  expect(await ends()).toBe(1)
})

/** The units as systemd reads them: no unknown directive, no missing unit, and a sandbox as tight as it was. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { schedules } from '../../../config/schedules.ts'
import { hasTool, runTool } from '../../support/machine-tool.ts'

const folder = fileURLToPath(new URL('../../../ops/systemd/', import.meta.url))
const services = readdirSync(folder).filter((name) => name.endsWith('.service'))
const units = [...services, 'panji-backup.timer', 'panji.target']
/** Services that go on until they are told to stop. */
const processes = services.filter((name) => !['panji-migrate.service', 'panji-backup.service'].includes(name))
const textOf = (unit: string) => readFileSync(join(folder, unit), 'utf8')
/** Where the units expect the package, and what stands there on this machine. */
const installedNode = '/opt/panji/node_modules/node/bin/node'

const copies = mkdtempSync(join(tmpdir(), 'panji-units-'))
afterAll(() => rmSync(copies, { recursive: true }))
cpSync(folder, copies, { recursive: true })
for (const name of services) {
  writeFileSync(
    join(copies, name),
    textOf(name)
      .replace(installedNode, process.execPath)
      .replace(/^Documentation=.*\n/m, ''),
  )
}

test('every service is hardened alike, and reads its secrets from one file', () => {
  const hardening = services.map((name) => /^User=panji\n(?:.+\n)*/m.exec(textOf(name))?.[0])
  expect(new Set(hardening).size).toBe(1)
  expect(hardening[0]).toMatch(/NoNewPrivileges=yes.*ProtectSystem=strict/s)
  for (const name of services) {
    expect(textOf(name)).toContain('EnvironmentFile=/etc/panji/panji.env')
    expect(textOf(name)).toContain('StateDirectory=panji')
    expect(textOf(name)).toContain(`ExecStart=${installedNode} /opt/panji/node_modules/panji/bin/panji.mjs`)
  }
})

test('a migration that fails is tried again, and no process is lost with it', () => {
  const migrate = textOf('panji-migrate.service')
  expect(migrate).toMatch(/^Restart=on-failure$/m)
  for (const name of services) {
    const text = textOf(name)
    // A unit that requires another is given up where that fails, and one that starts too often for good.
    expect([name, /^(Requires|BindsTo|Requisite)=/m.test(text)]).toEqual([name, false])
  }
  for (const name of [...processes, 'panji-migrate.service'])
    expect([name, /^StartLimitIntervalSec=0$/m.test(textOf(name))]).toEqual([name, true])
  for (const name of processes) {
    const text = textOf(name)
    expect([name, /^Wants=.*panji-migrate\.service/m.test(text)]).toEqual([name, true])
    expect([name, /^After=.*panji-migrate\.service/m.test(text)]).toEqual([name, true])
    expect([name, /^Restart=always$/m.test(text)]).toEqual([name, true])
  }
})

test('the target names no process as its own, so that one that was disabled stays away at the next boot', () => {
  const target = textOf('panji.target')
  expect(target).not.toMatch(/^(Wants|Requires|BindsTo)=/m)
  const alone = processes.filter((name) => !name.includes('@'))
  expect(/^Also=(.+)$/m.exec(target)?.[1]?.split(' ').toSorted()).toEqual(alone.toSorted())
  for (const name of processes) expect([name, /^WantedBy=panji\.target$/m.test(textOf(name))]).toEqual([name, true])
})

test('the backup of each night is of the owner, at the hour of the schedule, and made up for where the machine was off', () => {
  const service = textOf('panji-backup.service')
  expect(service).toContain('EnvironmentFile=/etc/panji/migrate.env')
  expect(service).toMatch(/panji\.mjs backup$/m)
  expect(service).not.toMatch(/^(Restart|PartOf)=/m)
  const nightly = schedules.find(({ name }) => name === 'write-backup')
  const [minute, hour] = nightly?.cron.split(' ') ?? []
  const timer = textOf('panji-backup.timer')
  expect(timer).toContain(`OnCalendar=*-*-* ${hour?.padStart(2, '0')}:${minute}:00 Asia/Kolkata`)
  expect(timer).toContain('Persistent=true')
})

test('the API of which several run differs from the one alone by its port', () => {
  const several = textOf('panji-api@.service')
  expect(several).toContain('PORT=%i')
  expect(several.replace(' on port %i', '').replace(' PORT=%i', '')).toBe(textOf('panji-api.service'))
})

describe.skipIf(!hasTool('systemd-analyze', 'systemd'))('systemd-analyze', () => {
  test('finds no fault in the units', () => {
    expect(runTool('systemd-analyze', ['verify', ...units.map((name) => join(copies, name))])).toEqual({
      code: 0,
      printed: '',
    })
  })

  test.each(services)('rates the exposure of %s at 2.0 or below', (name) => {
    const { code, printed } = runTool('systemd-analyze', [
      'security',
      '--offline=true',
      '--threshold=20',
      join(copies, name),
    ])
    expect({ code, printed }).toMatchObject({ code: 0 })
  })
})

/** The configuration file: for what the environment leaves open, checked as strictly, and told of together with it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { readConfigFile } from '../../../src/settings/config-file.ts'
import { type Env, readEnv } from '../../../src/settings/env.ts'
import { fileMembers, memberOf } from '../../../src/settings/file-members.ts'

const folder = mkdtempSync(join(tmpdir(), 'panji-config-'))
afterEach(() => rmSync(join(folder, 'panji.json'), { force: true }))

function read(text: string, env: Record<string, string> = {}): Env {
  writeFileSync(join(folder, 'panji.json'), text)
  const source = { PANJI_DATA_DIR: folder, ...env }
  return readEnv(source, readConfigFile(source))
}
const refusal = (text: string, env: Record<string, string> = {}): string => {
  try {
    read(text, env)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  throw new Error('the file was accepted')
}

test('the file in the data directory says what the environment leaves open, and a variable decides over it', () => {
  const text = JSON.stringify({
    api: { public_url: 'https://panji.example.in', trusted_proxies: ['10.0.0.1', '10.0.0.2'], connections: 7 },
    seller: { name: 'Asha Data LLP', address: 'Margao, Goa', gstin: '27AAPFU0939F1ZV' },
    sources: { allow_private: true },
  })
  expect(read(text, { PANJI_API_CONNECTIONS: '9', PANJI_SELLER_NAME: '' })).toMatchObject({
    PANJI_PUBLIC_URL: 'https://panji.example.in',
    PANJI_TRUSTED_PROXIES: ['10.0.0.1', '10.0.0.2'],
    PANJI_API_CONNECTIONS: 9,
    PANJI_SELLER_NAME: 'Asha Data LLP',
    PANJI_ALLOW_PRIVATE_SOURCES: true,
  })
})

test('without a file everything is as the environment has it; one that is named must be there', () => {
  const source = { PANJI_DATA_DIR: folder }
  expect(readEnv(source, readConfigFile(source))).toEqual(readEnv(source))
  const named = { ...source, PANJI_CONFIG: join(folder, 'away.json') }
  expect(() => readEnv(named, readConfigFile(named))).toThrow(`${named.PANJI_CONFIG}: cannot be read (ENOENT)`)
})

test('all errors of the file and of the environment are reported at once, by the name that was used', () => {
  const told = refusal(
    '{"api": {"connections": "many", "port": 1}, "sellers": {}, "sources": {"fetch_seconds_max": 1.5}}',
    { PANJI_JOB_CONNECTIONS: 'x' },
  )
  expect(told).toContain('panji.json: api.connections: must be a number')
  expect(told).toContain('panji.json: api: unknown member "port"')
  expect(told).toContain('unknown member "sellers"')
  expect(told).toContain('PANJI_JOB_CONNECTIONS: must be a whole number')
  expect(refusal('{"sources": {"fetch_seconds_max": 1.5}}')).toContain(
    'sources.fetch_seconds_max: must be a whole number',
  )
  expect(refusal('{"api": ')).toContain('panji.json: is not valid JSON')
  expect(refusal(`{"seller": {"name": "${'x'.repeat(70_000)}"}}`)).toContain('it has more than 65536 bytes')
})

test('whatever stands in the file is enough for itself, in an environment that says nothing else', () => {
  const values = { text: 'Asha', number: 20, switch: true, list: ['10.0.0.1'] } as const
  const special: Readonly<Record<string, unknown>> = {
    PANJI_PUBLIC_URL: 'https://panji.example.in',
    PANJI_CORS_ORIGINS: ['https://app.example.in'],
    PANJI_SECURITY_CONTACT: 'mailto:security@example.in',
    PANJI_DISPUTE_HOLD: 'off',
    PANJI_SELLER_GSTIN: '27AAPFU0939F1ZV',
    PANJI_SELLER_SAC: '998439',
    PANJI_BACKUP_DIR: '/var/backups/panji',
    PANJI_CSV_DELIVERY_DIR: '/srv/leads',
  }
  const whole = Object.entries(fileMembers).map(([section, members]) => [
    section,
    Object.fromEntries(
      Object.entries(members).map(([name, { variable, kind }]) => [name, special[variable] ?? values[kind]]),
    ),
  ])
  expect(() => read(JSON.stringify(Object.fromEntries(whole)))).not.toThrow()
})

test('no secret has a place in the file', () => {
  expect(
    [...memberOf.keys()].filter((variable) =>
      /SECRET|TOKEN|KEY|PASSWORD|DATABASE|SMTP_URL|ALERT_URL|APPS/.test(variable),
    ),
  ).toEqual([])
})

test('the mark with which an editor on Windows begins a file is no part of it', () => {
  expect(read('\ufeff{"sources": {"allow_private": true}}')).toMatchObject({ PANJI_ALLOW_PRIVATE_SOURCES: true })
})

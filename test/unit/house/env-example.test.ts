import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { renderConfiguration } from '../../../scripts/render-configuration.ts'
import { renderEnvExample } from '../../../scripts/render-env-example.ts'
import { EnvSchema, readEnv } from '../../../src/settings/env.ts'
import { memberOf } from '../../../src/settings/file-members.ts'

const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const keys = Object.keys(EnvSchema.shape)

const entries = read('.env.example')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line): readonly [string, string] => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])

test('.env.example is what src/settings/env.ts describes (else: npm run docs)', () => {
  expect(read('.env.example')).toBe(renderEnvExample(read('src/settings/env.ts')))
})

test('.env.example names every variable once that the configuration file has no member for, in the order of the schema', () => {
  expect(entries.map(([key]) => key)).toEqual(keys.filter((key) => !memberOf.has(key)))
  expect(keys).toEqual(expect.arrayContaining([...memberOf.keys()]))
})

test('.env.example taken as it is means the defaults', () => {
  expect(readEnv(Object.fromEntries(entries))).toEqual(readEnv({}))
})

test('docs/configuration.md is what src/settings/env.ts describes (else: npm run docs)', () => {
  expect(read('docs/configuration.md')).toBe(renderConfiguration(read('src/settings/env.ts')))
})

import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { renderLimits } from '../../../scripts/render-limits.ts'
import { limits, stages } from '../../../src/limits/limits.ts'
import { EnvSchema } from '../../../src/settings/env.ts'

const root = new URL('../../../', import.meta.url)
const productFiles = (folders: readonly string[]) =>
  globSync(`{${folders.join(',')}}/**/*.ts`, { cwd: root }).map((path) => new URL(path, root).pathname)

test('docs/limits.md is what npm run docs makes of the table', () => {
  expect(readFileSync(new URL('../../../docs/limits.md', import.meta.url), 'utf8')).toBe(renderLimits())
})

test('every limit stands once in one stage, and names a variable or a file that sets it', () => {
  const staged = stages.flatMap(({ limits: each }) => Object.keys(each))
  expect(staged).toEqual(Object.keys(limits))
  expect(new Set(staged).size).toBe(staged.length)
  for (const { setBy } of Object.values(limits)) {
    for (const place of setBy.split(', ')) {
      if (place.startsWith('PANJI_')) expect(Object.keys(EnvSchema.shape)).toContain(place)
      else expect(() => readFileSync(new URL(`../../../${place}`, import.meta.url))).not.toThrow()
    }
  }
})

test('a call is refused for a limit by the table alone', () => {
  const codes = [
    'ADDRESS_BLOCKED',
    'LOGIN_THROTTLED',
    'QUOTA_EXCEEDED',
    'RATE_LIMITED',
    'SERVICE_BUSY',
    'TOO_MANY_CONCURRENT',
  ]
  const made = new RegExp(`new AppError\\(\\s*'(${codes.join('|')})'`)
  const beside = productFiles(['src', 'jobs']).filter((path) => made.test(readFileSync(path, 'utf8')))
  expect(beside).toEqual([])
})

test('each limit that refuses is met somewhere', () => {
  const text = productFiles(['src', 'jobs'])
    .filter((path) => !path.includes('src/limits/stages'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  const refusing = Object.entries(limits).flatMap(([name, { answer }]) => ('retryAfter' in answer ? [name] : []))
  expect(refusing.filter((name) => !new RegExp(`'${name}'`).test(text))).toEqual([])
})

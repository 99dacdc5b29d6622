/** A day is a day in India, by one function in TypeScript, one in SQL and one on the pages: no other line makes one. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)
const folders = ['src', 'jobs', 'config', 'connectors', 'sample', 'sandboxes', 'migrations/functions', 'web/src']
/** What turns an instant into a day, or a day into an instant. */
const dayMaking = [
  /\bcurrent_date\b/i,
  /\b(?:now|clock_timestamp)\(\)(?: AT TIME ZONE [^)]*\))?::date/i,
  /AT TIME ZONE [^)]*\)::date/i,
  /::timestamp AT TIME ZONE/i,
  /date_trunc\('day'/i,
  /toISOString\(\)\s*\.(?:slice|substring|substr)\(0, 10\)/,
  /toISOString\(\)\s*\.split/,
  /\.get(?:Date|Month|FullYear)\(/,
  /toLocaleDateString|'en-CA'/,
]
/** The functions themselves, and what is no day of ours. */
const exceptions: Readonly<Record<string, string>> = {
  'src/domain/iso-date.ts': 'the function in TypeScript',
  'web/src/look/indian-day.ts': 'the function of the pages',
  'migrations/functions/runtime.indian_day.sql': 'the function in SQL',
  'migrations/functions/runtime.indian_midnight.sql': 'its opposite',
  'migrations/functions/runtime.limit_day.sql': 'daily limits begin anew at midnight UTC, as X-RateLimit-Reset says',
  'src/ingest/run/snapshot-day.ts': 'a source is published in the time zone that it declares',
  'web/src/app/feeds/days.tsx': 'the plot counts days since 1970, which are no instants',
}

const madeIn = (text: string): string[] =>
  text.split('\n').flatMap((line) => (dayMaking.some((shape) => shape.test(line)) ? [line.trim()] : []))

test('no file but those of the functions makes a day of an instant', () => {
  const files = folders.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|tsx|sql)$/.test(name))
      .map((name) => `${folder}/${name}`),
  )
  const found = files
    .map((file) => [file, madeIn(readFileSync(new URL(file, root), 'utf8'))] as const)
    .filter(([, lines]) => lines.length > 0)
  expect(found.filter(([file]) => exceptions[file] === undefined)).toEqual([])
  expect(Object.keys(exceptions).filter((file) => !found.some(([each]) => each === file))).toEqual([])
})

/** A sentence that says when: people read it in Indian time, by `shownInstant`. */
const utcTold = /\$\{[^}]*toISOString\(\)(?!\.replaceAll)/

test('no sentence tells an instant in UTC', () => {
  const told = ['src', 'jobs'].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) =>
        readFileSync(new URL(`${folder}/${name}`, root), 'utf8')
          .split('\n')
          .filter((line) => utcTold.test(line))
          .map((line) => `${folder}/${name}: ${line.trim()}`),
      ),
  )
  expect(told).toEqual([])
})

test.each([
  'WHERE expires_on >= current_date',
  "SELECT (now() AT TIME ZONE 'UTC')::date",
  'SELECT now()::date',
  "at < ($1::date + 1)::timestamp AT TIME ZONE 'UTC'",
  "date_trunc('day', now())",
  'const today = new Date().toISOString().slice(0, 10)',
  "new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' })",
])('a planted %s is caught', (line) => {
  expect(madeIn(line)).toEqual([line])
})

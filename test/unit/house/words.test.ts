/**
 * The field's own words: each of these was once written here for what the field calls otherwise. `pages` covers the console and the
 * app, `code` the sources, `everywhere` all that is shipped.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const places = {
  code: ['{src,connectors,sandboxes,web/src}/**/*.{ts,tsx}', '{jobs,config}/**/*.ts'],
  pages: ['web/src/**/*.{ts,tsx,css}', 'docs/console.md'],
  everywhere: [
    ...[
      'src/**/*.{ts,sql,html}',
      'connectors/**/*.{ts,md}',
      '{sample,sandboxes}/**/*.ts',
      'jobs/*.ts',
      'config/**/*.ts',
      'migrations/**/*.sql',
    ],
    ...[
      'web/src/**/*.{ts,tsx,css}',
      'ops/**/*.{yml,yaml,json,conf,service,sh}',
      'docs/**/*.md',
      'README.md',
      'AGENTS.md',
      'CONTRIBUTING.md',
    ],
  ],
} as const

const banned: readonly (readonly [keyof typeof places, RegExp, string])[] = [
  ['everywhere', /\bdear(er|est)?\b/i, 'expensive'],
  ['everywhere', /\bspokesm[ae]n\b/i, 'the lead that is sent for its duplicates'],
  ['everywhere', /\bwaits? for a word\b/i, 'needs approval'],
  ['everywhere', /\bhopeless/i, 'too expensive, failed'],
  ['everywhere', /\b(?!http\(|Exchange\()\w+\(s\)(?=[ .,;])/, 'the plural where the number asks for it'],
  ['pages', /\btak(e|es|en|ing)\s+(\w+\s+){0,3}in\b(?! (the|a|as|of)\b)/i, 'import'],
  ['pages', /\btaken? back\b/i, 'undo, return, refund'],
  ['everywhere', /\bheal(s|ed|ings?)?\b/i, 'repair'],
  ['everywhere', /\bmend(s|ed|ing)?\b/i, 'fix (a person), repair (a rule)'],
  ['everywhere', /\btrails?\b/i, 'audit log'],
  ['everywhere', /\bthe books\b/i, 'ledger'],
  ['pages', /\bbooks\b/i, 'ledger'],
  ['everywhere', /\bleft[ _]alone\b/i, 'skipped, unchanged'],
  ['pages', /\bby (it|them)sel(f|ves)\b/i, 'automatically'],
  ['pages', /\bstrangers?\b/i, 'anonymous client'],
  ['everywhere', /\benrol(s|led|ling)?\b/i, 'enqueue'],
  ['everywhere', /\bin[ _-]doubt\b/i, 'unconfirmed, of unknown outcome'],
  ['everywhere', /\bnewcomers?\b/i, 'new user, new record'],
  ['pages', /\b(hold back|let go on)\b/i, 'pause, resume'],
  ['pages', /\bbegin here\b/i, 'get started'],
  [
    'code',
    /\b(told|tells?)\b(?! (apart|them apart|one|two|the (one|two|caller|operator|reader))\b)/i,
    'notify, report, return, record',
  ],
  ['everywhere', /\bin a box\b|\bboxed\b/i, 'sandbox, isolated parser'],
  ['everywhere', /\b(tolerant|narrow) lanes?\b/i, 'fallback path, queue'],
  ['everywhere', /\bforesight\b/i, 'planner'],
  ['everywhere', /\b(an|the|next) alarms?\b/i, 'wake-up'],
  ['everywhere', /\bmay stay empty\b/i, 'optional'],
  ['pages', /\bbeside\b/i, 'next to, besides, alongside'],
  ['pages', /\bmeanwhile\b/i, 'in the meantime, since'],
  ['pages', /\bwhoever\b|\bof whom\b/i, 'anyone who, users who'],
  ['pages', /\btake (it|them) over\b|\btaken over\b/i, 'adopt'],
  ['pages', /\blies\b/i, 'is'],
  ['everywhere', /\btakes? no leads\b/i, 'is not accepting leads'],
  ['everywhere', /\bruns? of ingest\b/i, 'import run'],
]

/** Where the word names something else, or a name of the API that pages repeat. */
const excepted: readonly (readonly [string, string, string])[] = [
  ['src/api/operations/alerts/', 'told', 'a member of the API'],
  ['web/src/console/notifications.tsx', 'told', 'a member of the API'],
  ['sample/', 'dear', 'words of invented names and of the published tariff'],
]

const isExcepted = (path: string, found: string) =>
  excepted.some(([at, word]) => path.startsWith(at) && found.toLowerCase().startsWith(word))

function found(path: string, text: string, word: RegExp, instead: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const match = word.exec(line)?.[0]
    return match === undefined || isExcepted(path, match) ? [] : [`${path}:${index + 1}: ${match}: write ${instead}`]
  })
}

const read = (patterns: readonly string[]) =>
  globSync(patterns, { cwd: root }).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const files = { code: read(places.code), pages: read(places.pages), everywhere: read(places.everywhere) }

test.each(banned)('%s: %s', (where, word, instead) => {
  expect(files[where].length).toBeGreaterThan(50)
  expect(files[where].flatMap(({ path, text }) => found(path, text, word, instead))).toEqual([])
})

describe('a word is found', () => {
  test.each([
    ['web/src/console/a.tsx', '<p>It was taken in by itself.</p>', ['taken in', 'by itself']],
    ['web/src/console/a.tsx', 'Take the first file in', ['Take the first file in']],
    ['web/src/console/a.tsx', 'taken in the same transaction', []],
    ['sample/names.ts', 'Dear', []],
  ])('in %s: %s', (path, line, words) => {
    const all = banned.flatMap(([, word, instead]) => found(path, line, word, instead))
    expect(all.map((each) => each.split(': ')[1]).toSorted()).toEqual(words.toSorted())
  })
})

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkScheduledInput } from '../../../src/ingest/input/scheduled-input.ts'

const folder = mkdtempSync(join(tmpdir(), 'panji-scheduled-'))
mkdirSync(join(folder, 'drop'))
writeFileSync(join(folder, 'file.csv'), 'x')
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const check = (input: string, source = 'mca-companies', isHere = true) => checkScheduledInput({ source, input }, isHere)

test.each([
  ['a folder', join(folder, 'drop'), join(folder, 'drop')],
  ['a folder with a slash', `${join(folder, 'drop')}/`, join(folder, 'drop')],
  ['a pattern', join(folder, 'drop', 'goa-*.csv'), join(folder, 'drop', 'goa-*.csv')],
  ['a file', join(folder, 'file.csv'), join(folder, 'file.csv')],
  ['a file that is published later', '/srv/goa.csv', '/srv/goa.csv'],
  ['a relative path, which the worker may not share', 'goa.csv', resolve('goa.csv')],
  ['an address', 'https://example.in/goa.csv?x=*', 'https://example.in/goa.csv?x=*'],
])('%s is taken', async (_, input, stored) => {
  expect(await check(input)).toEqual({ source: 'mca-companies', input: stored })
})

test.each([
  ['nothing', '  ', /name a file, a folder, a pattern/],
  ['a folder that is not there', join(folder, 'absent/'), /there is no folder .*absent; make it first/],
  ['a pattern in a folder that is not there', join(folder, 'absent', '*.csv'), /there is no folder .*absent/],
  [
    'a wildcard in a folder',
    join(folder, '*', 'x.csv'),
    /a wildcard in a folder; \* and \? are only allowed in the last part/,
  ],
  ['another protocol', 'ftp://example.in/goa.csv', /ftp: is not fetched/],
  ['a broken address', 'http://', /"http:…" is no address/],
])('%s is refused in words', async (_, input, message) => {
  await expect(check(input)).rejects.toMatchObject({ code: 'BAD_REQUEST', message: expect.stringMatching(message) })
})

test('all errors are reported at once, and an unknown source with the known ones', async () => {
  await expect(check('ftp://x', 'mca')).rejects.toThrow(/2 fault[\s\S]*"mca" is none of mca-companies, [\s\S]*ftp:/)
})

test('a folder of other machines is not looked for on this one', async () => {
  expect(await check('/mnt/elsewhere/*.csv', 'contacts', false)).toEqual({
    source: 'contacts',
    input: '/mnt/elsewhere/*.csv',
  })
})

/** What `npm start` shows: a line per step and the links last; the log goes into a file, and to the terminal where it is asked for. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { panjiHome, runPanjiIn } from '../support/panji-cli.ts'

const home = panjiHome({ LOG_LEVEL: '', PANJI_SAMPLE: 'off' })
afterAll(() => home.remove())
const logged = () => {
  const path = join(home.dataDir, 'panji.log')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

test.each([
  [['start'], false],
  [['start', '--verbose'], true],
])('%j shows the log itself: %j; the file has it either way', { timeout: 120_000 }, async (words, isShown) => {
  const before = logged()
  const panji = home.run(...words)
  await panji.line('Ctrl-C stops.')
  panji.child.kill('SIGINT')
  const { stderr, stdout } = await panji.ended
  expect(stderr.includes('Server listening')).toBe(isShown)
  expect(logged().slice(before.length)).toContain('Server listening')
  expect(stderr.split('\n').filter((line) => !line.startsWith('{'))).toEqual([
    'Opening the database …',
    ...(before === '' ? [expect.stringMatching(/^Applied \d+ migrations\.$/)] : []),
    ...['Stopping …', 'Stopped.', ''],
  ])
  const [last, links] = stdout.trim().split('\n').toReversed().filter(Boolean)
  expect([last, links]).toEqual(['Ctrl-C stops.', '                  another link: npx panji open'])
})

test('status and open name the address that the API listens on, whatever the environment of another terminal says', async () => {
  const panji = runPanjiIn(home.dataDir, ['start'], { PANJI_SAMPLE: 'off', HOST: '127.0.0.2' })
  onTestFinished(() => void panji.child.kill('SIGKILL'))
  const apiUrl = /http:\/\/127\.0\.0\.2:\d+$/.exec(await panji.line('  API '))?.[0]
  expect((await home.json('status')).answer).toMatchObject({ api_url: apiUrl })
  const { console_url: link } = (await home.json('open')).answer as { console_url: string }
  expect(link.split('#')[0]).toBe(`${apiUrl}/console`)
  expect((await fetch(link)).status).toBe(200)
  panji.child.kill('SIGINT')
  await panji.ended
}, 240_000)

import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { barProgress, describe as describeProgress, lineProgress } from '../../../src/cli/progress.ts'
import { createScreen } from '../../../src/cli/screen.ts'

/** What a terminal of a hundred columns was sent. */
function terminal(): { readonly stream: NodeJS.WriteStream; text(): string } {
  const chunks: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk))
      done()
    },
  })
  const tty = {
    isTTY: true,
    columns: 100,
    rows: 24,
    cursorTo: () => true,
    clearLine: () => true,
    moveCursor: () => true,
  }
  return { stream: Object.assign(sink, tty) as unknown as NodeJS.WriteStream, text: () => chunks.join('') }
}

test.each([
  [12_400_000, 60_100_000, 'bytes', 8_300_000, '12.4 of 60.1 MB, 8.3 MB/s, 6 s left'],
  [12_400_000, 0, 'bytes', 8_300_000, '12.4 MB, 8.3 MB/s'],
  [0, 60_100_000, 'bytes', 0, ''],
  [500, 1000, 'rows', 250, '500 of 1,000 rows, 250 rows/s, 2 s left'],
  [4.2, 9.8, 's', 1, '4 s of about 10 s, 6 s left'],
  [12, 9.8, 's', 1, '12 s of about 10 s, 0 s left'],
  [4.2, 0, 's', 1, '4 s'],
])('%d of %d %s at %d per second reads "%s"', (done, total, unit, rate, expected) => {
  expect(describeProgress(done, total, unit, rate)).toBe(expected)
})

test('a terminal gets a bar with what is done, the rate and the time left, and its cursor back', () => {
  const { stream, text } = terminal()
  const bar = barProgress('bytes', stream, createScreen(stream, stream))
  bar.update('staging', 0, 10_000_000)
  bar.update('staging', 5_000_000, 10_000_000)
  bar.update('checking', 3, 6, 's')
  bar.end()
  expect(text()).toMatch(/staging +█* *░+/)
  expect(text()).toMatch(/checking +█+░+ 3 s of about 6 s, 3 s left/)
  expect(text().endsWith('\u001b[?25h\n') || text().includes('\u001b[?25h')).toBe(true)
})

test('elsewhere a line is written when the step changes, and not for every update', () => {
  const { stream, text } = terminal()
  const lines = lineProgress('bytes', createScreen(stream, stream))
  lines.update('staging', 1_000_000, 2_000_000)
  lines.update('staging', 1_500_000, 2_000_000)
  lines.update('checking', 0, 0, 's')
  lines.update('merging', 0, 12, 's')
  lines.end()
  expect(text()).toBe('staging 1 of 2 MB\nchecking 0 s\nmerging 0 s of about 12 s, 12 s left\n')
})

test('a note or a log takes the bar off its line and the bar is drawn again below it', () => {
  const { stream, text } = terminal()
  const screen = createScreen(stream, stream)
  const bar = barProgress('bytes', stream, screen)
  bar.update('staging', 5_000_000, 10_000_000)
  screen.write('a log line\n')
  screen.print('an answer\n')
  bar.end()
  screen.write('the end\n')
  const [first, second, third] = text().split('\r\u001b[K')
  expect(first).toMatch(/staging .*5 of 10 MB/)
  expect(second).toMatch(/^a log line\n.*staging .*5 of 10 MB/)
  expect(third).toMatch(/^an answer\n.*staging /)
  expect(text().endsWith('\nthe end\n')).toBe(true)
})

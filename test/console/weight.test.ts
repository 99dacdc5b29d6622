/** What a first visit loads: the script of each application's first page, as it goes over the wire. */
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const dist = new URL('../../web/dist/', import.meta.url)
const bytesMax = 150 * 1024

test.each(['console', 'app'])('the first script of /%s weighs at most 150 KB compressed', (application) => {
  const page = readFileSync(new URL(`${application}.html`, dist), 'utf8')
  const scripts = [...page.matchAll(/"\/(assets\/[^"]+\.js)"/g)].map(([, path = '']) =>
    readFileSync(new URL(path, dist)),
  )
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.reduce((bytes, script) => bytes + gzipSync(script).length, 0)).toBeLessThan(bytesMax)
})

test.each(['console', 'app'])('the page of /%s has no script and no style of its own', (application) => {
  const page = readFileSync(new URL(`${application}.html`, dist), 'utf8')
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/)
})

test('the editor and the plots come in scripts of their own', () => {
  const scripts = readdirSync(new URL('assets/', dist)).filter((name) => name.endsWith('.js'))
  const first = ['console', 'app'].flatMap((application) => [
    ...readFileSync(new URL(`${application}.html`, dist), 'utf8').matchAll(/assets\/([^"]+\.js)/g),
  ])
  const loadedFirst = new Set(first.map(([, name]) => name))
  for (const mark of ['cm-content', 'u-legend']) {
    const holders = scripts.filter((name) => readFileSync(new URL(`assets/${name}`, dist), 'utf8').includes(mark))
    expect(holders.length, mark).toBeGreaterThan(0)
    expect(
      holders.filter((name) => loadedFirst.has(name)),
      mark,
    ).toEqual([])
  }
})

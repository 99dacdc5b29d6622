/** What is built: fresh, and light on a first visit, as the script of each application's first page goes over the wire. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildWeb } from '../../scripts/build-web.ts'

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

test('the built pages are what the sources give, byte for byte, and give again', () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'panji-pages-'))
  const filesIn = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [relative(folder, path), readFileSync(path, 'utf8')] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
  try {
    buildWeb(relative(fileURLToPath(new URL('../../', import.meta.url)), elsewhere))
    const [built, again] = [filesIn(fileURLToPath(dist)), filesIn(elsewhere)]
    expect(built.map(([path]) => path)).toEqual(again.map(([path]) => path))
    expect(built.filter(([, content], index) => content !== again[index]?.[1]).map(([path]) => path)).toEqual([])
  } finally {
    rmSync(elsewhere, { recursive: true, force: true })
  }
})

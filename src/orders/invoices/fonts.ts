/**
 * Chooses the font for a character: a part of Noto Sans for the scripts of India, Europe and Arabic, GNU Unifont for
 * the rest of the Basic Multilingual Plane; all under the Open Font License. Files are read on first use.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { z } from 'zod'
import { plainFont } from './woff.ts'

const { resolve } = createRequire(import.meta.url)
const read = (name: string) => readFileSync(resolve(`@fontsource/${name}`))

export interface Face {
  readonly name: string
  readonly bytes: () => Buffer
  readonly covers: (codePoint: number) => boolean
  /** Whether combining marks are positioned by the font's attachment tables. */
  readonly attachesMarks: boolean
}

/** The first covers Latin, Greek, Cyrillic and Devanagari. */
const families = [
  'noto-sans',
  ...['bengali', 'gujarati', 'gurmukhi', 'kannada', 'malayalam', 'oriya', 'tamil', 'telugu', 'arabic'].map(
    (script) => `noto-sans-${script}`,
  ),
]

/**
 * Families whose attachment tables fontkit reads correctly. In the others a mark keeps the font's default position,
 * whatever letter it follows.
 */
const attaching = new Set(['noto-sans', 'noto-sans-bengali', 'noto-sans-kannada', 'noto-sans-oriya', 'noto-sans-tamil'])

const Ranges = z.record(z.string(), z.string())

function face(family: string, part: string, covers: Face['covers'], weight = 400): Face {
  let bytes: Buffer | undefined
  const file = `${family}/files/${family}-${part}-${weight}-normal.woff`
  const name = `${family}-${part}-${weight}`
  return { name, covers, attachesMarks: attaching.has(family), bytes: () => (bytes ??= plainFont(read(file))) }
}

/** @param ranges in the syntax of CSS `unicode-range`: `U+0900-097F,U+20B9`. */
function within(ranges: string): Face['covers'] {
  const bounds = ranges.split(',').map((range) => range.slice(2).split('-'))
  const pairs = bounds.map(([from = '', to = from]) => [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const)
  return (codePoint) => pairs.some(([from, to]) => from <= codePoint && codePoint <= to)
}

const rest = face('unifont', 'latin', (codePoint) => codePoint <= 0xffff)
/** For headings, which are in English. */
export const bold = face('noto-sans', 'latin', () => true, 700)

let known: readonly Face[] | undefined
const faces = (): readonly Face[] =>
  (known ??= families.flatMap((family) => {
    const parts = Object.entries(Ranges.parse(JSON.parse(read(`${family}/unicode.json`).toString())))
    // Every family of a script contains Latin again.
    const own = parts.filter(([part]) => family === 'noto-sans' || !part.startsWith('latin'))
    // The Latin parts overlap; the basic one comes first.
    return own
      .toSorted(([part]) => (part === 'latin' ? -1 : 1))
      .map(([part, ranges]) => face(family, part, within(ranges)))
  }))

export interface Run {
  readonly face: Face
  readonly text: string
}

/** Splits text into runs of one font each; joiners and combining marks stay with their letter. */
export function runsOf(text: string): Run[] {
  const runs: { face: Face; text: string }[] = []
  for (const letter of text) {
    const codePoint = letter.codePointAt(0) ?? 0
    const last = runs.at(-1)
    const stays = last && last.face !== rest && last.face.covers(codePoint)
    if (last && (stays || /[\p{M}\u200c\u200d]/u.test(letter))) last.text += letter
    else {
      const found = faces().find(({ covers }) => covers(codePoint)) ?? rest
      if (last?.face === found) last.text += letter
      else runs.push({ face: found, text: letter })
    }
  }
  return runs
}

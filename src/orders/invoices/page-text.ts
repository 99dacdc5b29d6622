/**
 * Writes text of any script onto a page, wrapped to a width, in runs of one font each; the original text is stored
 * with the glyphs, for copying and for screen readers.
 */
import type PDFDocument from 'pdfkit'
import { bold, type Face, type Run, runsOf } from './fonts.ts'

type Page = InstanceType<typeof PDFDocument>

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly size?: number
  readonly isBold?: boolean
  readonly isRight?: boolean
}

interface Word {
  readonly text: string
  readonly runs: readonly Run[]
  readonly width: number
  /** Reads from right to left. */
  readonly isRtl: boolean
}

const rtl = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

/** @returns the y position of the next line. */
export function writeText(page: Page, text: string, box: Box): number {
  const { x, width, size = 9, isBold = false, isRight = false } = box
  const use = (face: Face) => page.registerFont(face.name, face.bytes()).font(face.name, size)
  const widthOf = (runs: readonly Run[]) =>
    runs.reduce((sum, run) => sum + use(run.face).widthOfString(run.text, shapingOf(run.face)), 0)
  const word = (each: string): Word => {
    const runs = isBold ? [{ face: bold, text: each }] : runsOf(each)
    return { text: each, runs, width: widthOf(runs), isRtl: rtl.test(each) }
  }
  const space = widthOf(runsOf(' '))
  let y = box.y
  for (const line of text.split('\n')) {
    const words = line.split(/\s+/).flatMap((each) => fitting(word(each), width, word))
    for (const line of linesOf(words, width, space)) {
      const used = line.reduce((sum, each) => sum + each.width, space * (line.length - 1))
      let at = isRight ? x + width - used : x
      // One span for copying; the glyphs are drawn in visual order.
      page.markContent('Span', { actual: line.map((each) => each.text).join(' ') })
      for (const { runs, isRtl } of asSeen(line)) {
        for (const { face, text: part } of isRtl ? runs.toReversed() : runs) {
          const shaping = shapingOf(face)
          use(face).text(part, at, y + size, { lineBreak: false, baseline: 'alphabetic', ...shaping })
          at += page.widthOfString(part, shaping)
        }
        at += space
      }
      page.endMarkedContent()
      y += size * 1.45
    }
  }
  return y
}

/** fontkit accepts features to switch off by name; the types of pdfkit only know lists of those to switch on. */
const unattached = { mark: false, mkmk: false, abvm: false, blwm: false } as unknown as PDFKit.Mixins.OpenTypeFeatures[]
const shapingOf = ({ attachesMarks }: Face) => (attachesMarks ? {} : { features: unattached })

/** Breaks a word that is wider than the line into pieces of whole letters. */
function fitting(given: Word, width: number, word: (text: string) => Word): Word[] {
  if (given.width <= width) return [given]
  const pieces: Word[] = []
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(given.text)) {
    const longer = word((pieces.at(-1)?.text ?? '') + segment)
    if (pieces.length > 0 && longer.width <= width) pieces[pieces.length - 1] = longer
    else pieces.push(word(segment))
  }
  return pieces
}

function linesOf(words: readonly Word[], width: number, space: number): Word[][] {
  const lines: Word[][] = [[]]
  let used = 0
  for (const word of words) {
    const line = lines.at(-1)
    if (line && (line.length === 0 || used + space + word.width <= width)) {
      used += (line.length === 0 ? 0 : space) + word.width
      line.push(word)
    } else {
      lines.push([word])
      used = word.width
    }
  }
  return lines
}

/** Reverses runs of neighbouring right-to-left words into visual order. */
function asSeen(words: readonly Word[]): Word[] {
  const seen: Word[] = []
  let from = 0
  for (const word of words) {
    if (!word.isRtl) from = seen.length + 1
    seen.splice(word.isRtl ? from : seen.length, 0, word)
  }
  return seen
}

/** The text of a PDF's pages: its lines, as copied from a reader, and its letters, as its fonts map their glyphs. */
import { inflateSync } from 'node:zlib'

export interface PdfText {
  readonly lines: readonly string[]
  /** The characters of the drawn glyphs, by the maps of the embedded fonts. */
  readonly letters: string
  readonly glyphs: number
  /** Of the lowest text, in points above the lower edge. */
  readonly lowest: number
}

/** @throws Error where a glyph is the placeholder of a missing one. */
export function readPdf(pdf: Buffer): PdfText {
  const text = pdf.toString('latin1')
  const objects = new Map(
    [...text.matchAll(/(\d+) 0 obj\r?\n([\s\S]*?)\r?\nendobj/g)].map(([, id, body]) => [id, body ?? '']),
  )
  const streamOf = (body: string) => {
    // By its length: compressed bytes may end in a line break of their own.
    const [head = '', length] = /^[\s\S]*?\/Length (\d+)[\s\S]*?stream\r?\n/.exec(body) ?? []
    const plain = Buffer.from(body.slice(head.length, head.length + Number(length)), 'latin1')
    return (body.includes('/FlateDecode') ? inflateSync(plain) : plain).toString('latin1')
  }
  const maps = new Map(
    [...text.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, font, id]) => {
      const [, map] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '') ?? []
      return [font, lettersOf(streamOf(objects.get(map) ?? ''))]
    }),
  )
  const drawn = [...objects.values()].filter((body) => body.includes('stream')).map(streamOf)
  const content = drawn.filter((each) => each.includes(' Tf\n')).join('\n')
  let letters = ''
  let glyphs = 0
  let map: ReadonlyMap<number, string> | undefined
  for (const [, font, run] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (font !== undefined) map = maps.get(font)
    for (const [glyph] of (run ?? '').replaceAll(/>[^<]*</g, '').matchAll(/[0-9a-f]{4}/g)) {
      if (Number.parseInt(glyph, 16) === 0) throw new Error('a letter is drawn as a placeholder')
      letters += map?.get(Number.parseInt(glyph, 16)) ?? ''
      glyphs++
    }
  }
  const lines = [...content.matchAll(/\/ActualText \(((?:\\[\s\S]|[^\\)])*)\)/g)].map(([, line = '']) => stringOf(line))
  const heights = [...content.matchAll(/^1 0 0 1 [-\d.]+ ([-\d.]+) Tm$/gm)].map(([, height]) => Number(height))
  return { lines, letters, glyphs, lowest: Math.min(...heights) }
}

function lettersOf(map: string): Map<number, string> {
  const letters = new Map<number, string>()
  for (const [, from = '', list = ''] of map.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/g)) {
    for (const [index, [, units = '']] of [...list.matchAll(/<([0-9a-f ]*)>/g)].entries()) {
      letters.set(
        Number.parseInt(from, 16) + index,
        Buffer.from(units.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'),
      )
    }
  }
  return letters
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** A string of PDF: bytes of Latin-1, or UTF-16 after a mark. */
function stringOf(escaped: string): string {
  const bytes = Buffer.from(
    escaped.replaceAll(/\\([\s\S])/g, (_, letter: string) => escapes[letter] ?? letter),
    'latin1',
  )
  return bytes.length > 1 && bytes.readUInt16BE(0) === 0xfeff
    ? bytes.subarray(2).swap16().toString('utf16le')
    : bytes.toString('latin1')
}

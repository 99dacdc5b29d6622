/**
 * Converts CSV separated by semicolons, tabs or bars to commas, keeping each record on its lines, so that everything
 * after this handles one separator. Bytes are not decoded. A record with unbalanced quotes is passed on as its first
 * line only, to be rejected later.
 */
import { recordBytesMax, titleRowsMax } from '../../../config/input-bounds.ts'
import { behindQuoted, closingQuote } from '../cells-in-quotes.ts'

const others = [';', '\t', '|'] as const
export type Separator = (typeof others)[number]
const separators: ReadonlySet<string> = new Set([',', ...others])

/** Unchanged if commas are the separator, according to the header. */
export async function* withCommas(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let heldBytes = 0
  let separator: Separator | undefined
  let pending = ''
  let isDecided = false
  for await (const chunk of chunks) {
    if (!isDecided) {
      held.push(chunk)
      heldBytes += chunk.length
      const start = Buffer.concat(held).toString('latin1')
      const header = headerOf(start, false)
      if (header === undefined && heldBytes <= recordBytesMax) continue
      isDecided = true
      separator = separatorOf(header ?? firstLineOf(start))
      if (separator === undefined) yield* held
      else pending = start
      held = []
    } else if (separator === undefined) {
      yield chunk
      continue
    } else pending += chunk.toString('latin1')
    if (separator === undefined) continue
    const { text, end } = recordsOf(pending, separator, false)
    pending = pending.slice(end)
    yield Buffer.from(text, 'latin1')
  }
  if (!isDecided) {
    pending = Buffer.concat(held).toString('latin1')
    separator = separatorOf(headerOf(pending, true) ?? firstLineOf(pending))
    if (separator === undefined) yield* held
  }
  if (separator !== undefined) yield Buffer.from(recordsOf(pending, separator, true).text, 'latin1')
}

/**
 * The first complete record that contains a separator; a title without one may precede it.
 * @returns the first record of all if none does.
 */
function headerOf(text: string, isAll: boolean): string | undefined {
  const record = /\s*(?=\S)((?:"[^"]*"|[^"\r\n])+)[\r\n]/y
  let first: string | undefined
  for (let rows = 0; rows < titleRowsMax; rows++) {
    const found = record.exec(text)?.[1]
    if (found === undefined) return isAll ? first : undefined
    const most = Math.max(0, ...countsOf(found).values())
    if (first === undefined ? most > 0 : most > 1) return found
    first ??= found
  }
  return first
}

/** For a record whose quotes are unbalanced. */
const firstLineOf = (text: string): string => text.trimStart().split(/[\r\n]/, 1)[0] ?? ''

/** The most frequent separator outside the quotes of a header; undefined if that is the comma, or there is none. */
function separatorOf(header: string): Separator | undefined {
  const counts = countsOf(header)
  const most = Math.max(...others.map((each) => counts.get(each) ?? 0))
  return most > (counts.get(',') ?? 0) ? others.find((each) => counts.get(each) === most) : undefined
}

/** How often each possible separator occurs outside of quotes. */
function countsOf(header: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  let isQuoted = false
  for (const character of header) {
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && separators.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  return counts
}

const lineEnd = /\r\n?|\n/g

/** All complete records of a text, with commas, and where they end. */
function recordsOf(source: string, separator: Separator, last: boolean): { text: string; end: number } {
  const parts: string[] = []
  let at = 0
  while (at < source.length) {
    lineEnd.lastIndex = at
    const isEnded = lineEnd.test(source)
    if (!isEnded && !last && source.length - at <= recordBytesMax) break
    const next = isEnded ? lineEnd.lastIndex : source.length
    const line = source.slice(at, next)
    if (!line.includes('"') && !line.includes(',')) {
      parts.push(line.replaceAll(separator, ','))
      at = next
      continue
    }
    const record = readRecord(source, at, separator)
    // Its end may be in the next chunk.
    const isOpen = record === undefined || record.end === source.length
    if (isOpen && !last && source.length - at <= recordBytesMax) break
    parts.push(record?.text ?? line.replaceAll(separator, ','))
    at = record?.end ?? next
  }
  return { text: parts.join(''), end: at }
}

/** @returns undefined if the text ends within quotes, or something follows a closing quote. */
function readRecord(source: string, start: number, separator: Separator): { text: string; end: number } | undefined {
  let text = ''
  let at = start
  for (;;) {
    let stop = at
    if (source[at] === '"') {
      stop = closingQuote(source, at) + 1
      if (stop === 0 || stop - start > recordBytesMax) return undefined
      // Blanks after the quotes stay, for the reader of the record.
      while (source[stop] === ' ') stop++
      text += source.slice(at, stop)
    } else if (isMarked(source, at, separator)) {
      stop = behindQuoted(source, at)
      text += source.slice(at, stop)
    } else {
      while (stop < source.length && !isEnd(source[stop], separator)) stop++
      text += plainCell(source.slice(at, stop))
    }
    const next = source[stop]
    if (next === separator) {
      text += ','
      at = stop + 1
      continue
    }
    if (next === undefined) return { text, end: stop }
    if (next === '\r' && source[stop + 1] === '\n') return { text: `${text}\r\n`, end: stop + 2 }
    return next === '\r' || next === '\n' ? { text: text + next, end: stop + 1 } : undefined
  }
}

/** A cell on one line with blanks before its quotes, or with a formula's sign. */
function isMarked(source: string, start: number, separator: Separator): boolean {
  const stop = behindQuoted(source, start)
  return (
    stop >= 0 && (stop === source.length || isEnd(source[stop], separator)) && !/[\r\n]/.test(source.slice(start, stop))
  )
}

const isEnd = (character: string | undefined, separator: Separator): boolean =>
  character === separator || character === '\n' || character === '\r'

/** A cell without surrounding quotes, quoted if a comma requires it. */
const plainCell = (cell: string): string => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

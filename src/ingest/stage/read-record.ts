/** Finds the end of one CSV record in bytes, its number of columns and lines, and whether it conforms to RFC 4180. */

// Not shared with the scanner: reading an imported binding is slower, and this loop sees every byte.
const quote = 34
const comma = 44
const lineFeed = 10
const carriageReturn = 13

/** The record that starts at `start`. */
export interface Reading {
  /** Position after the line end, or -1 when the bytes end before the record does. */
  end: number
  /** Position of the line end. */
  stop: number
  columns: number
  lines: number
  wellFormed: boolean
}

/**
 * Reads one record from `start`. This loop sees every byte of every snapshot, so it reuses one `reading` for its
 * results.
 */
export function readRecord(reading: Reading, bytes: Buffer, start: number, last: boolean): void {
  const length = bytes.length
  let index = start
  let columns = 1
  let lines = 1
  reading.wellFormed = true
  fields: for (;;) {
    let byte = index < length ? (bytes[index] as number) : -1
    if (byte === quote) {
      index++
      for (;;) {
        if (index >= length) {
          // Inside quotes at the end of the buffer: wait for more, or give up at the end of the file.
          if (last) firstLineOnly(reading, bytes, start, last)
          else reading.end = -1
          return
        }
        byte = bytes[index] as number
        index++
        if (byte === quote) {
          if (bytes[index] !== quote) break
          index++
        } else if (byte === lineFeed || (byte === carriageReturn && bytes[index] !== lineFeed)) {
          lines++
        }
      }
      byte = index < length ? (bytes[index] as number) : -1
      if (byte >= 0 && byte !== comma && byte !== lineFeed && byte !== carriageReturn) {
        firstLineOnly(reading, bytes, start, last)
        return
      }
    } else {
      while (byte > comma || (byte !== comma && byte !== lineFeed && byte !== carriageReturn && byte !== quote)) {
        if (byte < 0) break
        index++
        byte = index < length ? (bytes[index] as number) : -1
      }
    }
    switch (byte) {
      case comma:
        columns++
        index++
        continue
      case lineFeed:
        reading.stop = index
        reading.end = index + 1
        break fields
      case carriageReturn:
        if (index + 1 >= length && !last) {
          reading.end = -1
          return
        }
        reading.stop = index
        reading.end = index + (bytes[index + 1] === lineFeed ? 2 : 1)
        break fields
      case quote:
        firstLineOnly(reading, bytes, start, last)
        return
      default:
        reading.stop = index
        reading.end = last ? index : -1
        break fields
    }
  }
  reading.columns = columns
  reading.lines = lines
}

/** An invalid record is reduced to its first line. */
export function firstLineOnly(reading: Reading, bytes: Buffer, start: number, last: boolean): void {
  reading.wellFormed = false
  reading.lines = 1
  let index = start
  while (index < bytes.length && bytes[index] !== lineFeed && bytes[index] !== carriageReturn) index++
  reading.stop = index
  const isReturn = bytes[index] === carriageReturn
  // A line feed may follow the last byte of the buffer.
  const hasEnd = index < bytes.length && (last || !isReturn || index + 1 < bytes.length)
  if (!hasEnd) reading.end = last ? index : -1
  else reading.end = index + (isReturn && bytes[index + 1] === lineFeed ? 2 : 1)
}

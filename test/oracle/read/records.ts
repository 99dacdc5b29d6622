/**
 * The bytes of a delimited file go in, its records come out: what the registry facts and the operators' page say of encodings,
 * quotes and line ends, one character at a time. It shares nothing with the product, which is compared with it.
 */

export interface FileRecord {
  /** Of the file, from 1: where the record begins. */
  readonly line: number
  readonly cells: readonly string[]
}

/** A byte-order mark decides; else what is UTF-8 is UTF-8, and anything else is Windows-1252. */
export function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Lines without a character are no records, nor are lines of delimiters and blanks alone. */
export function recordsOf(text: string, delimiter: string): FileRecord[] {
  const records: FileRecord[] = []
  let cells: string[] = []
  let [cell, isQuoted, hasQuoted] = ['', false, false]
  let [line, began, at] = [1, 1, 0]
  const endRecord = () => {
    const whole = [...cells, cell]
    if (hasQuoted || whole.some((each) => /[^ \t]/.test(each))) records.push({ line: began, cells: whole })
    cells = []
    ;[cell, hasQuoted] = ['', false]
  }
  while (at < text.length) {
    const sign = text.charAt(at)
    const isBreak = sign === '\n' || sign === '\r'
    const width = sign === '\r' && text.charAt(at + 1) === '\n' ? 2 : 1
    if (isBreak) line += 1
    if (isQuoted && sign === '"' && text.charAt(at + 1) === '"') {
      cell += '"'
      at += 1
    } else if (isQuoted && sign === '"') isQuoted = false
    else if (isQuoted) cell += text.slice(at, at + width)
    else if (sign === '"' && cell === '') [isQuoted, hasQuoted] = [true, true]
    else if (sign === delimiter) {
      cells.push(cell)
      cell = ''
    } else if (isBreak) {
      endRecord()
      began = line
    } else cell += sign
    at += width
  }
  endRecord()
  return records
}

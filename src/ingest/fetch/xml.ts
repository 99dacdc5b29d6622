/**
 * Reads XML as it streams in: tags and text out, one call each, nothing kept but an unfinished piece. Enough for the
 * parts of a workbook: prefixes of names are dropped, document types (and with them entities of one's own) are refused.
 */
export interface XmlHandler {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close(name: string): void
  text(text: string): void
}

/** A single tag beyond this size is no workbook's. */
const pieceMax = 4 << 20
/** A longer text is handed on before its end is here. */
const textPiece = 64 << 10
/** The longest entity that is decoded: `&#x10FFFF;`. */
const entityMax = 10
const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

export class XmlReader {
  #pending = ''
  readonly #decoder = new TextDecoder('utf-8')
  readonly #handler: XmlHandler

  constructor(handler: XmlHandler) {
    this.#handler = handler
  }

  push(chunk: Buffer): void {
    const text = this.#pending + this.#decoder.decode(chunk, { stream: true })
    let position = 0
    while (position < text.length) {
      const next = text[position] === '<' ? this.#markup(text, position) : this.#textRun(text, position)
      if (next < 0) break
      position = next
    }
    this.#pending = text.slice(position)
    if (this.#pending.length > pieceMax) throw new Error(`its XML holds a tag of more than ${pieceMax} characters`)
  }

  end(): void {
    if (this.#pending.trim() !== '') throw new Error('its XML is cut off')
  }

  #textRun(text: string, position: number): number {
    const next = text.indexOf('<', position)
    if (next < 0 && text.length - position < textPiece) return -1
    const end = next < 0 ? beforeEntity(text) : next
    this.#handler.text(decodeEntities(text.slice(position, end)))
    return end
  }

  /** @returns the position after the markup, or -1 while its end is not there yet. */
  #markup(text: string, position: number): number {
    for (const [start, stop] of [
      ['<!--', '-->'],
      ['<![CDATA[', ']]>'],
      ['<?', '?>'],
    ] as const) {
      if (!text.startsWith(start, position)) continue
      const end = text.indexOf(stop, position + start.length)
      if (end < 0) return -1
      if (start === '<![CDATA[') this.#handler.text(text.slice(position + start.length, end))
      return end + stop.length
    }
    const end = text.indexOf('>', position)
    if (end < 0) return -1
    if (text[position + 1] === '!') {
      // What may still become a comment or CDATA has been ruled out above, once its first letters are here.
      throw new Error('its XML declares a document type')
    }
    this.#tag(text.slice(position + 1, end))
    return end + 1
  }

  #tag(tag: string): void {
    if (tag.startsWith('/')) {
      this.#handler.close(localName(tag.slice(1).trim()))
      return
    }
    const isEmpty = tag.endsWith('/')
    const name = localName(/^[^\s/]+/.exec(tag)?.[0] ?? '')
    this.#handler.open(name, attributesOf(tag))
    if (isEmpty) this.#handler.close(name)
  }
}

export async function readXml(chunks: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  const reader = new XmlReader(handler)
  for await (const chunk of chunks) reader.push(chunk)
  reader.end()
}

/** Where a text can be cut without cutting an entity that may end in what is still to come. */
function beforeEntity(text: string): number {
  const start = text.indexOf('&', text.length - entityMax)
  return start < 0 ? text.length : start
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

function attributesOf(tag: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const [, name = '', double, single] of tag.matchAll(/\s([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    attributes[localName(name)] = decodeEntities(double ?? single ?? '')
  }
  return attributes
}

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w+));/g, (whole, decimal, hex, name: string) => {
    const point = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined
    if (point !== undefined) return point <= 0x10ffff ? String.fromCodePoint(point) : whole
    return named[name] ?? whole
  })
}

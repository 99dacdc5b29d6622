/**
 * Streams XML through saxes: one call per tag or text. Prefixes of names are dropped; document types (and with them
 * custom entities) are rejected; tags and depth are limited, and long texts are passed on in pieces.
 */
import { SaxesParser } from 'saxes'
import { xmlBounds } from '../../../../config/input-bounds.ts'

export interface XmlHandler {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close(name: string): void
  /** A long text arrives in several pieces. */
  text(text: string): void
}

const { depthMax, tagCharactersMax } = xmlBounds
/** A longer text is passed on before its end arrives. */
const textPiece = 64 << 10
/** Changes nothing in a document, but makes the parser pass on the preceding text. */
const emptyComment = '<!---->'

export class XmlReader {
  readonly #decoder = new TextDecoder('utf-8')
  readonly #parser = new SaxesParser({ xmlns: false, position: false })
  #depth = 0
  /** Position after the last tag or comment. */
  #closedAt = 0
  /** Position of the last `<`. */
  #openedAt = 0
  #isInEntity = false

  constructor(handler: XmlHandler) {
    const parser = this.#parser
    const closed = (): void => {
      this.#closedAt = parser.position
    }
    parser.on('opentag', ({ name, attributes }) => {
      closed()
      if (++this.#depth > depthMax) throw new Error(`its XML is nested deeper than ${depthMax} elements`)
      handler.open(localName(name), localNames(attributes))
    })
    parser.on('closetag', ({ name }) => {
      closed()
      this.#depth--
      handler.close(localName(name))
    })
    parser.on('text', (text) => handler.text(text))
    parser.on('cdata', (text) => {
      closed()
      handler.text(text)
    })
    parser.on('comment', closed)
    parser.on('processinginstruction', closed)
    parser.on('doctype', () => {
      throw new Error('its XML declares a document type')
    })
  }

  push(chunk: Buffer): void {
    const text = this.#decoder.decode(chunk, { stream: true })
    for (let start = 0; start < text.length; start += textPiece) this.#write(text.slice(start, start + textPiece))
  }

  end(): void {
    this.#parser.write(this.#decoder.decode())
    this.#parser.close()
  }

  #write(text: string): void {
    const before = this.#parser.position
    this.#parser.write(text)
    const opened = text.lastIndexOf('<')
    if (opened >= 0) this.#openedAt = before + opened
    const entity = text.lastIndexOf('&')
    if (entity >= 0 || text.includes(';')) this.#isInEntity = entity > text.lastIndexOf(';')
    const held = this.#parser.position - this.#closedAt
    if (held < textPiece) return
    const isInText = this.#closedAt > this.#openedAt && !this.#isInEntity
    if (isInText) this.#parser.write(emptyComment)
    else if (held > tagCharactersMax) throw new Error(`its XML holds a tag of more than ${tagCharactersMax} characters`)
  }
}

export async function readXml(chunks: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  const reader = new XmlReader(handler)
  for await (const chunk of chunks) reader.push(chunk)
  reader.end()
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

function localNames(attributes: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  let hasPrefix = false
  for (const name in attributes) if (name.includes(':')) hasPrefix = true
  if (!hasPrefix) return attributes
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [localName(name), value]))
}

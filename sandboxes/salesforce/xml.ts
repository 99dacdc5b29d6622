/** XML as a tree of elements, without namespace prefixes. Documents with a DOCTYPE are refused. */
import { SaxesParser } from 'saxes'

export interface Element {
  readonly name: string
  readonly children: readonly Element[]
  readonly text: string
}

interface Growing {
  readonly name: string
  readonly children: Growing[]
  text: string
}

/** @returns null for invalid XML. */
export function readXml(text: string): Element | null {
  const root: Growing = { name: '', children: [], text: '' }
  const open = [root]
  const parser = new SaxesParser({ xmlns: false, position: false })
  parser.on('opentag', ({ name }) => {
    const element: Growing = { name: name.slice(name.indexOf(':') + 1), children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  parser.on('text', (piece) => {
    const inner = open.at(-1)
    if (inner) inner.text += piece
  })
  parser.on('doctype', () => {
    throw new Error('its XML declares a document type')
  })
  try {
    parser.write(text).close()
  } catch {
    return null
  }
  return root.children[0] ?? null
}

/** The first element at this path of names. */
export function elementAt(from: Element | null | undefined, ...names: readonly string[]): Element | undefined {
  let found: Element | undefined = from ?? undefined
  for (const name of names) found = found?.children.find((child) => child.name === name)
  return found
}

export function textAt(from: Element | null | undefined, ...names: readonly string[]): string {
  return elementAt(from, ...names)?.text.trim() ?? ''
}

/**
 * Writes objects as elements; undefined members are left out, and each item of a list becomes an element of the
 * list's name.
 */
export function writeXml(value: object): string {
  return Object.entries(value)
    .flatMap(([name, member]: [string, unknown]) =>
      (Array.isArray(member) ? member : [member]).map((each) => [name, each]),
    )
    .map(([name, each]) => {
      if (each === undefined) return ''
      const inner = typeof each === 'object' && each !== null ? writeXml(each) : escaped(String(each))
      return `<${name}>${inner}</${name}>`
    })
    .join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** HTML in which every inserted value is escaped, so that the content of leads and calls never becomes markup. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Piece = Markup | string | number | null | undefined | readonly Piece[]

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '')

function textOf(piece: Piece): string {
  if (piece instanceof Markup) return piece.text
  if (piece === null || piece === undefined) return ''
  return typeof piece === 'object' ? piece.map(textOf).join('') : escaped(String(piece))
}

export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup(parts.map((part, index) => part + textOf(pieces[index])).join(''))
}

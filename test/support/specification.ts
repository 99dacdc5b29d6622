/** The lines of a Markdown specification that state something: table rows, numbered and bulleted rules, sentences. */

export interface SpecificationLine {
  readonly section: string
  readonly line: string
}

export function specificationLines(markdown: string): SpecificationLine[] {
  const lines: SpecificationLine[] = []
  const rows = markdown.split('\n').map((row) => row.trim())
  let chapter = ''
  let section = ''
  for (const [index, row] of rows.entries()) {
    if (row.startsWith('#')) {
      chapter = row.startsWith('### ') ? chapter : row.replace(/^#+ /, '')
      section = row.startsWith('### ') ? row.slice(4) : chapter
      continue
    }
    // A table's header is above its rule, and a sentence that ends with a colon only introduces.
    if (row === '' || /^[|:\- ]+$/.test(row) || row.endsWith(':') || /^[|:\- ]+$/.test(rows[index + 1] || 'x')) continue
    lines.push({ section, line: row.startsWith('|') ? nameOfRow(row, section) : shortened(row) })
  }
  return lines
}

/** The first cell; for an endpoint, method and path; for a state, who has it and where. */
function nameOfRow(row: string, section: string): string {
  const [first = '', second = ''] = row
    .split('|')
    .slice(1)
    .map((cell) => cell.trim())
  const needsBoth = /^(GET|POST|PUT|PATCH|DELETE)$/.test(first) || section === 'States and transitions'
  return needsBoth ? `${first} ${second}` : first
}

const shortened = (sentence: string) => (sentence.length > 110 ? `${sentence.slice(0, 109)}…` : sentence)

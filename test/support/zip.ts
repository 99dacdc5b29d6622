/** Writes zip files and workbooks by hand, so that tests decide every byte: names, checksums and sizes as given. */
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipMember {
  readonly name: string
  readonly content: Buffer | string
  readonly checksum?: number
  /** Stored unless true. */
  readonly deflated?: boolean
  /** The size that the headers claim, where they lie. */
  readonly claimedSize?: number
}

export function zipOf(members: readonly ZipMember[]): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const { name, content: given, checksum, deflated = false, claimedSize } of members) {
    const plain = Buffer.from(given)
    const content = deflated ? deflateRawSync(plain) : plain
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(20, 4)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(20, 6)
    for (const [header, at] of [
      [local, 14],
      [central, 16],
    ] as const) {
      header.writeUInt16LE(deflated ? 8 : 0, at - 6)
      header.writeUInt32LE(checksum ?? crc32(plain), at)
      header.writeUInt32LE(content.length, at + 4)
      header.writeUInt32LE(claimedSize ?? plain.length, at + 8)
      header.writeUInt16LE(Buffer.byteLength(name), at + 12)
    }
    central.writeUInt32LE(offset, 42)
    locals.push(local, Buffer.from(name), content)
    centrals.push(central, Buffer.from(name))
    offset += local.length + Buffer.byteLength(name) + content.length
  }
  const directory = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(members.length, 8)
  end.writeUInt16LE(members.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

/** A text is a shared string; anything else is the XML of the cell's inside with its attributes. */
export type TestCell = string | { readonly attributes: string; readonly inside: string }

export interface TestSheet {
  readonly name: string
  readonly state?: 'hidden' | 'veryHidden'
  /** Row number → cells; an empty text leaves the cell out. */
  readonly rows: Readonly<Record<number, readonly TestCell[]>>
  /** Merged cell ranges: `A1:B2`. */
  readonly merged?: readonly string[]
}

/** Cell styles of every test workbook: 0 General, 1 a date, 2 eight digits, 3 two decimals, 4 a written date. */
const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="00000000"/><numFmt numFmtId="165" formatCode="dd\\-mmm\\-yyyy;@"/></numFmts>
<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="4"/><xf numFmtId="165"/></cellXfs></styleSheet>`

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const letters = (index: number): string =>
  (index >= 26 ? String.fromCharCode(64 + Math.floor(index / 26)) : '') + String.fromCharCode(65 + (index % 26))

export function workbookOf(sheets: readonly TestSheet[], options: { readonly date1904?: boolean } = {}): Buffer {
  const strings: string[] = []
  const sheetXml = ({ rows }: TestSheet): string =>
    Object.entries(rows)
      .map(([number, cells]) => {
        const xml = cells.map((cell, index) => {
          const reference = `r="${letters(index)}${number}"`
          if (cell === '') return ''
          if (typeof cell !== 'string') return `<c ${reference} ${cell.attributes}>${cell.inside}</c>`
          return `<c ${reference} t="s"><v>${strings.push(cell) - 1}</v></c>`
        })
        return `<row r="${number}">${xml.join('')}</row>`
      })
      .join('')
  const mergedXml = ({ merged = [] }: TestSheet): string =>
    `<mergeCells>${merged.map((range) => `<mergeCell ref="${range}"/>`).join('')}</mergeCells>`
  const parts = sheets.map((sheet, index) => ({
    name: `xl/worksheets/sheet${index + 1}.xml`,
    content: `<?xml version="1.0"?><worksheet><sheetData>${sheetXml(sheet)}</sheetData>${mergedXml(sheet)}</worksheet>`,
  }))
  const table = strings.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')
  return zipOf([
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns:r="r"><workbookPr date1904="${options.date1904 ? 1 : 0}"/><sheets>${sheets
        .map(({ name, state = 'visible' }, index) => {
          const shown = state === 'visible' ? '' : ` state="${state}"`
          return `<sheet name="${escaped(name)}" sheetId="${index + 1}"${shown} r:id="rId${index + 1}"/>`
        })
        .join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships>${parts
        .map(({ name }, index) => `<Relationship Id="rId${index + 1}" Target="${name.slice(3)}"/>`)
        .join('')}</Relationships>`,
    },
    { name: 'xl/sharedStrings.xml', content: `<sst>${table}</sst>` },
    { name: 'xl/styles.xml', content: styles },
    ...parts,
  ])
}

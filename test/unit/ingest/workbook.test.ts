import { expect, test } from 'vitest'
import { fetchBounds } from '../../../config/input-bounds.ts'
import { onOneLine } from '../../../src/ingest/cell-repairs.ts'
import { Findings } from '../../../src/ingest/input/findings.ts'
import { openArchive } from '../../../src/ingest/input/unpack/zip.ts'
import { columnIndex, numberFormat, numberText, withoutEscapes } from '../../../src/ingest/input/xlsx/cell-text.ts'
import type { WorkbookShape } from '../../../src/ingest/input/xlsx/choose-sheets.ts'
import { workbookCsv } from '../../../src/ingest/input/xlsx/workbook.ts'
import { XmlReader } from '../../../src/ingest/input/xlsx/xml.ts'
import { type TestSheet, workbookOf, zipOf } from '../../support/zip.ts'

async function csvOf(bytes: Buffer, shape: WorkbookShape = {}): Promise<{ text: string; findings: Findings }> {
  const findings = new Findings()
  const chunks: Buffer[] = []
  for await (const chunk of workbookCsv(await openArchive(bytes, 'x.xlsx', fetchBounds), 'x.xlsx', shape, findings))
    chunks.push(chunk)
  return { text: Buffer.concat(chunks).toString('utf8'), findings }
}
const cell = (attributes: string, inside: string) => ({ attributes, inside })

test('cells of every type become the text they show, and rows keep their numbers as lines', async () => {
  const { text, findings } = await csvOf(
    workbookOf([
      {
        name: 'List',
        rows: {
          1: ['A title over all columns'],
          3: ['id', 'name', 'amount', 'day'],
          4: [
            'A & <B>',
            cell('t="inlineStr"', '<is><t>in</t><r><t>line</t></r></is>'),
            cell('', '<v>1E5</v>'),
            cell('s="1"', '<v>38822</v>'),
          ],
          6: [
            cell('s="2"', '<v>12345</v>'),
            'two_x000D_\nlines, "quoted"',
            cell('s="3"', '<v>1234.5</v>'),
            cell('s="4"', '<v>38822.5</v>'),
          ],
          7: ['', '', '', ''],
          8: [
            'last',
            cell('t="str"', '<f>A1</f><v>made</v>'),
            cell('t="b"', '<v>1</v>'),
            cell('t="d"', '<v>2024-02-29T00:00:00</v>'),
            cell('s="1"', ''),
          ],
        },
      },
      { name: 'Other', rows: { 1: ['not', 'read'] } },
    ]),
  )
  expect(text.split('\n')).toEqual([
    '',
    '',
    'id,name,amount,day',
    'A & <B>,inline,100000,2006-04-15',
    '',
    '00012345,"two lines, ""quoted""",1234.50,2006-04-15T12:00:00',
    '',
    'last,made,TRUE,2024-02-29',
    '',
  ])
  expect(Object.fromEntries(findings.repaired)).toEqual({ cell_line_break: 1 })
})

test('the sheets that a source names stand side by side, lines counting on', async () => {
  const sheets: TestSheet[] = [
    { name: 'About', rows: { 1: ['x', 'y'] } },
    { name: 'ONE', rows: { 1: ['a', 'b'], 2: ['1', '2'] } },
    { name: 'TWO', rows: { 1: ['c', 'd'], 2: ['3'], 4: ['5', '6'] } },
  ]
  const { text } = await csvOf(workbookOf(sheets), { sheets: ['ONE', 'TWO'] })
  expect(text.split('\n')).toEqual(['a,b,c,d', '1,2,,', '', ',,3,', '', ',,5,6', ''])
})

test.each([
  ['39448', 14, undefined, '2008-01-01'],
  ['1', 14, undefined, '1900-01-01'],
  ['61', 14, undefined, '1900-03-01'],
  ['1.1000000000000001', 0, undefined, '1.1'],
  ['27.000000000000004', 0, undefined, '27'],
  ['123456789012', 0, undefined, '123456789012'],
  ['7', 164, '000000', '000007'],
  ['39448', 164, '[$-409]d\\-mmm\\-yy', '2008-01-01'],
  ['2.5', 164, '"days" 0.0', '2.5'],
  ['abc', 0, undefined, 'abc'],
])('the number %s in format %s %s is shown as it stands in the sheet: %#', (stored, id, code, shown) => {
  expect(numberText(stored, numberFormat(id, code), false)).toBe(shown)
})

const generations = [{ name: 'list', columns: { id: ['Id', 'No'], name: ['Name'] }, required: ['id', 'name'] }]

test('of sheets without declared names the shown ones with a header of the source are read, wherever they stand', async () => {
  const { text } = await csvOf(
    workbookOf([
      { name: 'Cover', rows: { 1: ['Monthly list'], 2: ['April', '2024'] } },
      { name: 'Old', state: 'hidden', rows: { 1: ['Id', 'Name'], 2: ['1', 'an older state'] } },
      { name: 'Older', state: 'veryHidden', rows: { 1: ['Id', 'Name'], 2: ['1', 'a still older state'] } },
      { name: 'First', rows: { 1: ['A title'], 3: ['Id', 'Name'], 4: ['1', 'one'] } },
      { name: 'Second', rows: { 2: ['ID', ' name '], 4: ['2', 'two'], 5: ['3', ''] } },
      { name: 'Notes', rows: { 1: ['Seen', 'by'], 2: ['nobody', 'at all'] } },
    ]),
    { generations },
  )
  expect(text.split('\n')).toEqual(['', '', 'Id,Name', '1,one', '', '', '', '2,two', '3,', ''])
})

test('two shown sheets that hold the list under different headers are refused by name, so that no row is lost', async () => {
  const sheets = [
    { name: 'Companies', rows: { 1: ['Id', 'Name'], 2: ['1', 'one'] } },
    { name: 'LLPs', rows: { 1: ['No', 'Name', 'Partners'], 2: ['2', 'two', '3'] } },
  ]
  await expect(csvOf(workbookOf(sheets), { generations })).rejects.toMatchObject({
    code: 'HEADER_MISMATCH',
    message: expect.stringContaining('the sheet LLPs has another header than Companies'),
  })
})

test('a workbook without a fitting sheet gives its first shown one, for the header to be told what it lacks', async () => {
  const sheets = [
    { name: 'Hidden', state: 'hidden', rows: { 1: ['a', 'b'] } },
    { name: 'Shown', rows: { 1: ['c', 'd'], 2: ['1', '2'] } },
    { name: 'Next', rows: { 1: ['e', 'f'] } },
  ] as const
  expect((await csvOf(workbookOf(sheets), { generations })).text).toBe('c,d\n1,2\n')
})

test('workbooks that count from 1904 give the same days', () => {
  expect(numberText('37986', numberFormat(14, undefined), true)).toBe('2008-01-01')
})

test('escapes of characters that XML cannot carry are undone once', () => {
  expect(withoutEscapes('a_x000D_b _x005F_x000D_ _xyz_')).toBe('a\rb _x000D_ _xyz_')
  expect(onOneLine('of  \r\n animal\nhair')).toBe('of animal hair')
})

test('columns are counted by their letters', () => {
  expect(['A1', 'Z9', 'AA10', 'XFD1'].map(columnIndex)).toEqual([0, 25, 26, 16_383])
})

test('XML reads the same however its bytes are cut', () => {
  const xml = Buffer.from(`<?xml version="1.0"?><!-- a > b --><x:a k="1 &amp; 2" j='é'><![CDATA[<raw>]]>&#233;€</x:a>`)
  const read = (size: number): string => {
    const seen: string[] = []
    const reader = new XmlReader({
      open: (name, attributes) => void seen.push(`<${name} ${JSON.stringify(attributes)}>`),
      close: (name) => void seen.push(`</${name}>`),
      text: (text) => void seen.push(text),
    })
    for (let at = 0; at < xml.length; at += size) reader.push(xml.subarray(at, at + size))
    reader.end()
    return seen.join('')
  }
  expect(read(xml.length)).toBe('<a {"k":"1 & 2","j":"é"}><raw>é€</a>')
  for (let size = 1; size < 40; size++) expect(read(size)).toBe(read(xml.length))
})

test('a workbook that is cut off, lacks a part or declares entities is refused as corrupt', async () => {
  const refused = { code: 'SOURCE_CORRUPT' }
  const workbook = `<workbook><sheets><sheet name="S" id="r1"/></sheets></workbook>`
  const rels = '<Relationships><Relationship Id="r1" Target="s.xml"/></Relationships>'
  const withSheet = (sheet: string) =>
    zipOf([
      { name: 'xl/workbook.xml', content: workbook },
      { name: 'xl/_rels/workbook.xml.rels', content: rels },
      { name: 'xl/s.xml', content: sheet },
    ])
  await expect(csvOf(zipOf([{ name: 'xl/workbook.xml', content: workbook }]))).rejects.toMatchObject(refused)
  await expect(csvOf(withSheet('<worksheet><row r="1"><c r="A1"><v>1</v'))).rejects.toMatchObject(refused)
  await expect(csvOf(withSheet('<!DOCTYPE a [<!ENTITY b "c">]><worksheet/>'))).rejects.toMatchObject(refused)
  await expect(csvOf(withSheet('<row r="1"><c r="A1" t="s"><v>7</v></c></row>'))).rejects.toMatchObject(refused)
})

test('cells of the list that are merged over several rows are refused, titles and notes beside it are not', async () => {
  const rows = { 1: ['A title'], 3: ['id', 'name'], 4: ['1', 'Asha'], 5: ['2', ''], 6: ['', '', 'a note'] }
  const list = (merged: string[]) => workbookOf([{ name: 'List', rows, merged }])
  expect((await csvOf(list(['A1:B2', 'A4:B4', 'C6:C9']))).text).toBe('\n\nid,name\n1,Asha\n2,\n,,a note\n')
  await expect(csvOf(list(['A1:B2', 'B4:B5']))).rejects.toMatchObject({
    code: 'SOURCE_CORRUPT',
    message: expect.stringContaining('its cells B4:B5 are merged over several rows'),
  })
})

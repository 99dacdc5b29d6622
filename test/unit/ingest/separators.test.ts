import { Readable } from 'node:stream'
import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { recordBytesMax } from '../../../config/input-bounds.ts'
import { withCommas } from '../../../src/ingest/input/separators.ts'

async function read(text: string | Buffer, chunkBytes = 1 << 16): Promise<string> {
  const bytes = Buffer.from(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  )
  const found: Buffer[] = []
  for await (const chunk of withCommas(Readable.from(chunks))) found.push(chunk)
  return Buffer.concat(found).toString('utf8')
}

test('records separated by semicolons, tabs or bars have the same cells as commas give, however they are cut', async () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', ' ', '"', ',', ';', '|', '\t', '\n', '\r', 'é', '😀'),
    maxLength: 6,
  })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(';', '|', '\t', ','),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      async (separator, lineEnd, rows, chunkBytes, endsLine) => {
        const quoted = (value: string) =>
          /["\n\r]/.test(value) || value.includes(separator) || value.startsWith(' ')
            ? `"${value.replaceAll('"', '""')}"`
            : value
        const lines = [['id', 'name', 'note'], ...rows].map((row) => row.map(quoted).join(separator))
        const text = lines.join(lineEnd) + (endsLine ? lineEnd : '')
        const options = { relax_column_count: true, record_delimiter: [lineEnd] }
        expect(parse(await read(text, chunkBytes), options)).toEqual(parse(text, { ...options, delimiter: separator }))
      },
    ),
    { numRuns: 300 },
  )
})

test('the header decides: the most frequent separator outside quotes, otherwise the comma', async () => {
  expect(await read('a;b;"c,d,e,f"\n1;2,5;3\n')).toBe('a,b,"c,d,e,f"\n1,"2,5",3\n')
  expect(await read('\n\n a;b\n1;2')).toBe('\n\n a,b\n1,2')
  for (const asItIs of ['a,b;c\n1;1,2\n', 'alone\n1;2\n', '', 'a,b']) expect(await read(asItIs, 3)).toBe(asItIs)
  expect(await read('a|b')).toBe('a,b')
})

test('a quote that is never closed, and one inside a cell, cost their own line alone', async () => {
  const text = 'a;b\n"open;1\nx;H "A" 1\n"shut" not;2\ny;3\n'
  expect(await read(text, 5)).toBe('a,b\n"open,1\nx,"H ""A"" 1"\n"shut" not,2\ny,3\n')
  const long = `a;b\n"${'x'.repeat(recordBytesMax + 10)}\ny;3\n`
  expect((await read(long)).endsWith('\ny,3\n')).toBe(true)
})

test('blanks around quotes and the sign of a formula keep what the quotes hold together, and stay', async () => {
  const text = 'a;b;c\n"1" ; "x;y,z" ;="2;3"\n "A" WING; "two\nlines";4\n'
  for (const chunkBytes of [3, 7, 1000]) {
    expect(await read(text, chunkBytes)).toBe('a,b,c\n"1" , "x;y,z" ,="2;3"\n" ""A"" WING"," ""two"\n"lines""",4\n')
  }
})

test('bytes of another encoding go through unchanged', async () => {
  const found: Buffer[] = []
  for await (const chunk of withCommas(Readable.from([Buffer.from('a;b\nCAF\xc9;1\n', 'latin1')]))) found.push(chunk)
  expect(Buffer.concat(found)).toEqual(Buffer.from('a,b\nCAF\xc9,1\n', 'latin1'))
})

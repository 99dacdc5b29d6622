/** Phrases as buyers type them, collected by somebody who had not seen the reader: test/fixtures/phrases.tsv. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { placesOf } from '../../../src/registry/phrases/places.ts'
import { readPhrase } from '../../../src/registry/phrases/read-phrase.ts'
import { readQuery } from '../../../src/registry/screener/read.ts'

const districts =
  'North Goa,South Goa,Pune,Mumbai,Thane,Nashik,Nagpur,Bengaluru Urban,Mysuru,Chennai,Coimbatore,Madurai,Hyderabad,Ahmedabad,Surat,Vadodara,Rajkot,Jaipur,Jodhpur,Udaipur,Lucknow,Kanpur Nagar,Varanasi,Agra,Patna,Ranchi,Kolkata,Howrah,Ernakulam,Thiruvananthapuram,Kozhikode,Indore,Bhopal,Gurugram,Faridabad,Ludhiana,Amritsar,Dehradun,Guntur,Krishna,Visakhapatnam,Cuttack,Kamrup,Raipur'
const industries = new Set(
  'software hotel hotels restaurant restaurants textile textiles pharmaceutical pharmaceuticals construction mining transport education jewellery furniture steel cement logistics advertising insurance agriculture fishing tourism travel plastic plastics chemical chemicals paper printing security cleaning consultancy hospital hospitals trading banking telecommunications electricity waste rubber leather tobacco beverages footwear'.split(
    ' ',
  ),
)
const known = {
  places: placesOf(districts.split(',')),
  isIndustry: (word: string) => industries.has(word),
  today: '2026-11-26',
}
const collected = readFileSync(new URL('../../fixtures/phrases.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const [phrase = '', type = '', query = '', unread = ''] = line.split('\t')
    return { phrase, type, query, unread: unread === '' ? [] : unread.split(' | ') }
  })

test('at least 300 phrases are collected', () => {
  expect(collected.length).toBeGreaterThanOrEqual(300)
})

test.each(collected)('$phrase', ({ phrase, type, query, unread }) => {
  const read = readPhrase(phrase, known)
  expect({ type: read.type, query: read.query, unread: read.unread.map(({ text }) => text) }).toEqual({
    type,
    query,
    unread,
  })
  // What is read is a query that the language takes, and each part stands where it says.
  if (query !== '') expect(() => readQuery(read.type, read.query, null, known.today)).not.toThrow()
  for (const { text, from, to } of [...read.parts, ...read.unread]) expect(phrase.slice(from, to)).toBe(text)
})

test('a phrase without a register is read as the one that the page shows', () => {
  expect(readPhrase('active in Goa', known, 'gst')).toMatchObject({ query: "Status == 'Active' AND state == 'Goa'" })
})

test('a name with a quote in it stays a name', () => {
  const { query } = readPhrase(`companies called "O'Brien' OR State == 'Goa"`, known)
  expect(query).toBe(`company CONTAINS 'O''Brien'' OR State == ''Goa'`)
  expect(readQuery('company', query).canonical).toContain('CONTAINS')
})

test.each(['गोवा की कंपनियां', 'தமிழ்நாடு', 'চা', 'ಕರ್ನಾಟಕ', 'شركات'])(
  'a word keeps the signs that belong to its letters: %s',
  (phrase) => {
    expect(readPhrase(phrase, known).unread.map(({ text }) => text)).toEqual([phrase])
  },
)

test.each([
  ['companies in Bangalore', 'Bengaluru Urban'],
  ['companies in Bengaluru', 'Bengaluru Urban'],
  ['private LLPs of Gurgaon', 'Gurugram'],
  ['companies not in Poona', 'Pune'],
])('a district is read by the name that people still call it: %s', (phrase, district) => {
  const { query, unread } = readPhrase(phrase, known)
  expect(query).toContain(`'${district}'`)
  expect(unread).toEqual([])
})

test('a district that the directory holds under its former name is read as that, and one that it lacks is not read', () => {
  const query = (phrase: string, held: string[]) => readPhrase(phrase, { ...known, places: placesOf(held) }).query
  expect(query('companies in Bangalore', ['Bangalore', 'Bengaluru Urban'])).toBe("District == 'Bangalore'")
  expect(query('companies in Bangalore', ['Pune'])).toBe('')
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitName } from '../../../src/domain/person-name.ts'
import { visibleLine } from '../../../src/domain/visible-text.ts'

const parts = (text: string) => {
  const name = splitName(text)
  return name && [name.honorific, name.first, name.middle, name.last, name.suffix]
}

test.each([
  ['ASHA NAIK', [null, 'ASHA', null, 'NAIK', null]],
  ['RAJESH KUMAR SHARMA', [null, 'RAJESH', 'KUMAR', 'SHARMA', null]],
  ['SMT. ASHA NAIK', ['SMT.', 'ASHA', null, 'NAIK', null]],
  ['SMT.ASHA NAIK', ['SMT.', 'ASHA', null, 'NAIK', null]],
  ['DR RAJESH SHARMA', ['DR', 'RAJESH', null, 'SHARMA', null]],
  ['MR. DR. RAJESH SHARMA', ['MR. DR.', 'RAJESH', null, 'SHARMA', null]],
  ['CAPT. VIKRAM SINGH RATHORE (RETD)', ['CAPT.', 'VIKRAM', 'SINGH', 'RATHORE', '(RETD)']],
  ['SHRI RAM KUMAR', ['SHRI', 'RAM', null, 'KUMAR', null]],
  ['SHRI RAM', [null, 'SHRI', null, 'RAM', null]],
  ['KUM. PRIYA DESAI', ['KUM.', 'PRIYA', null, 'DESAI', null]],
  ['KUMARI SELJA', [null, 'KUMARI', null, 'SELJA', null]],
  ['M/S RAVI NAIK', ['M/S', 'RAVI', null, 'NAIK', null]],
  ['SHARMA, RAJESH KUMAR', [null, 'RAJESH', 'KUMAR', 'SHARMA', null]],
  ['DAS GUPTA, DR. AMIT', ['DR.', 'AMIT', null, 'DAS GUPTA', null]],
  ['RAJESH SHARMA, JR.', [null, 'RAJESH', null, 'SHARMA', 'JR.']],
  ['RAJESH SHARMA JR', [null, 'RAJESH', null, 'SHARMA', 'JR']],
  ['RAMESH BHAI JI', [null, 'RAMESH', null, 'BHAI', 'JI']],
  ['RAJESH SHARMA, CA', [null, 'RAJESH', null, 'SHARMA', 'CA']],
  ['RAJESH SHARMA S/O MOHAN SHARMA', [null, 'RAJESH', null, 'SHARMA', 'S/O MOHAN SHARMA']],
  ['R K SHARMA', [null, 'R', 'K', 'SHARMA', null]],
  ['R.K.SHARMA', [null, 'R.K.', null, 'SHARMA', null]],
  ['SUBRAMANIAN K', [null, 'K', null, 'SUBRAMANIAN', null]],
  ['ANIL DE SOUZA', [null, 'ANIL', null, 'DE SOUZA', null]],
  ["MARIA D'SOUZA", [null, 'MARIA', null, "D'SOUZA", null]],
  ['MADHURI', [null, null, null, 'MADHURI', null]],
  ['SMT. MADHURI', ['SMT.', null, null, 'MADHURI', null]],
  ['DR', [null, null, null, 'DR', null]],
  ['DR.A.P.J.ABDUL KALAM', ['DR.', 'A.P.', 'J. ABDUL', 'KALAM', null]],
  ['COL. (RETD) R K SINGH', ['COL. (RETD)', 'R', 'K', 'SINGH', null]],
  ['CA RAHUL JAIN', ['CA', 'RAHUL', null, 'JAIN', null]],
  ['KM. PRIYA', ['KM.', null, null, 'PRIYA', null]],
  ['PROP. RAJESH SHARMA', ['PROP.', 'RAJESH', null, 'SHARMA', null]],
  ['RAJESH SHARMA PROP. SHARMA TRADERS', [null, 'RAJESH', null, 'SHARMA', 'PROP. SHARMA TRADERS']],
  ['REV. FR. JOSEPH PAUL', ['REV. FR.', 'JOSEPH', null, 'PAUL', null]],
  ['श्रीमती सुनीता देवी', ['श्रीमती', 'सुनीता', null, 'देवी', null]],
  ['RAJESH KUMAR SHARMA (HUF)', [null, 'RAJESH', 'KUMAR', 'SHARMA', '(HUF)']],
  ['RAJESH SHARMA (DIN 00012345)', [null, 'RAJESH', null, 'SHARMA', '(DIN 00012345)']],
  ['RAJESH SHARMA 00012345', [null, 'RAJESH', null, 'SHARMA', '00012345']],
  ['GURU DUTT (SINCE DECEASED)', [null, 'GURU', null, 'DUTT', '(SINCE DECEASED)']],
  ['RAJESH @ RAJU SHARMA', [null, 'RAJESH', null, 'SHARMA', '@ RAJU']],
  ['RAJESH KUMAR ALIAS RAJU', [null, 'RAJESH', null, 'KUMAR', 'ALIAS RAJU']],
  ['SUNITA DEVI WIFE OF RAJESH', [null, 'SUNITA', null, 'DEVI', 'WIFE OF RAJESH']],
  ['"RAJESH SHARMA"', [null, 'RAJESH', null, 'SHARMA', null]],
  ['=.RAJESH SHARMA', [null, 'RAJESH', null, 'SHARMA', null]],
  ['\tRAJESH  KUMAR\u00a0 SHARMA\r\n', [null, 'RAJESH', 'KUMAR', 'SHARMA', null]],
  ['RA\u200bJESH \u202eSHARMA', [null, 'RAJESH', null, 'SHARMA', null]],
  ['श्री\u200dराम वर्मा', [null, 'श्री\u200dराम', null, 'वर्मा', null]],
])('%j is %j', (text, expected) => {
  expect(parts(text)).toEqual(expected)
})

test.each(['', '   ', '-', '123', '\u200b'])('%j names nobody', (text) => {
  expect(splitName(text)).toBeUndefined()
})

const word = fc.oneof(
  fc.stringMatching(/^[A-Z][a-z]{0,6}\.?$/),
  fc.constantFrom(
    'SMT.',
    'DR',
    'SHRI',
    'JR',
    '(RETD)',
    'S/O',
    'R.K.',
    'DE',
    'MS',
    ',',
    'CA',
    'M/S',
    'é',
    '\t',
    '\u200b',
    '\u202e',
  ),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
)
const name = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '))
const letters = (text: string) => [...text.replace(/[\s,]/gu, '')].sort().join('')

test('what stands for no name is none', () => {
  for (const text of ['', '-', '123', 'NA', 'N.A.', 'n/a', 'NULL', 'NIL', 'Not Available', '"NONE"']) {
    expect([text, splitName(text)]).toEqual([text, undefined])
  }
})

test('no character of a name is lost or repeated, none is a control character, and no part is empty', () => {
  fc.assert(
    fc.property(name, (text) => {
      const split = splitName(text)
      if (!split) return
      const given = Object.values(split).filter((part): part is string => part !== null)
      const bare = visibleLine(text).replace(/^[^\p{L}\p{N}(]+|[^\p{L}\p{M}\p{N}.)]+$/gu, '')
      expect(letters(given.join(''))).toBe(letters(bare))
      for (const part of given) {
        expect(part).not.toBe('')
        expect(part).toBe(visibleLine(part))
      }
    }),
    { numRuns: 3000 },
  )
})

/** A word that is a name and nothing else, wherever it stands: no title, degree, suffix or relation. */
const isOnlyName = (word: string): boolean =>
  splitName(`${word} Asha Naik`)?.first === word &&
  splitName(`Asha ${word}`)?.last === word &&
  splitName(`Naik, ${word}`)?.first === word &&
  splitName(`Asha ${word} Naik`)?.suffix === null

test('written with the last name first, its parts are read as the same again', () => {
  const only = fc.stringMatching(/^[A-Z][a-z]{2,6}$/).filter(isOnlyName)
  const simple = fc.array(only, { minLength: 2, maxLength: 4 })
  fc.assert(
    fc.property(simple, (words) => {
      const split = splitName(words.join(' '))
      const again = splitName(`${split?.last}, ${[split?.first, split?.middle].filter(Boolean).join(' ')}`)
      expect(again).toEqual(split)
    }),
  )
})

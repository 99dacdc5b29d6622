/** A sentence of the server, said with the words of the form that was filled in. */
import { expect, test } from 'vitest'

/** Pages have types of their own, so the file is loaded by its address. */
const page = new URL('../../../web/src/look/in-labels.ts', import.meta.url).href
const { inLabels } = (await import(page)) as {
  inLabels(sentence: string, fields: readonly { name: string; label: string }[]): string
}

const fields = [
  { name: 'place_of_supply', label: 'Your state' },
  { name: 'gstin', label: 'GSTIN' },
  { name: 'address', label: 'Address with PIN code' },
  { name: 'client_id', label: 'Client id' },
  { name: 'day', label: 'Credits a day at most' },
]

test.each([
  ['place_of_supply is Karnataka (29).', '“Your state” is Karnataka (29).'],
  [
    'gstin is not a valid GSTIN: its check digit should be J.',
    '“GSTIN” is not a valid GSTIN: its check digit should be J.',
  ],
  ['address is empty. gstin is none.', '“Address with PIN code” is empty. “GSTIN” is none.'],
  ['Name your own by client_id, or paste credentials.', 'Name your own by “Client id”, or paste credentials.'],
  ['The settings have faults: client_id: must be given.', 'The settings have faults: “Client id”: must be given.'],
  [
    'address[1] must be a text. gstin[0] is none.',
    '“Address with PIN code”, entry 2, must be a text. “GSTIN”, entry 1, is none.',
  ],
  ['No such address is known.', 'No such address is known.'],
  [
    'budget.day must be a whole number. address is empty.',
    '“Credits a day at most” must be a whole number. “Address with PIN code” is empty.',
  ],
  ['of.client_id is unknown, and client_ids are none.', 'of.client_id is unknown, and client_ids are none.'],
])('names of the API are those that the form shows: %s', (sentence, said) => {
  expect(inLabels(sentence, fields)).toBe(said)
})

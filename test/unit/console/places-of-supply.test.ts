/** The states that the pages offer for an invoice are those that it takes. */
import { expect, test } from 'vitest'
import { readBillingDetails } from '../../../src/domain/billing-details.ts'
import { states } from '../../../src/domain/states.ts'
import { placeOfSupply, placesOfSupply } from '../../../web/src/look/states.ts'

test('each state that an invoice takes is offered under the name that Panji answers with, and no other', () => {
  const taken = states
    .flatMap(({ name, gstCodes }) => gstCodes.map((value) => ({ value, label: name })))
    .filter(({ value }) => readBillingDetails({ legalName: 'A', address: 'B', placeOfSupply: value }).ok)
  const byCode = (places: readonly { readonly value: string }[]) =>
    places.toSorted((one, other) => one.value.localeCompare(other.value))
  expect(byCode(placesOfSupply)).toEqual(byCode(taken))
})

test('a state is said by name and number, one of former years by its number', () => {
  expect([placeOfSupply('30'), placeOfSupply('28')]).toEqual(['Goa (30)', '28'])
})

/** Which places of supply a buyer may name: those that a GST return of today takes. */
import { expect, test } from 'vitest'
import { readBillingDetails } from '../../../src/domain/billing-details.ts'
import { states } from '../../../src/domain/states.ts'

const told = { legalName: 'Mandovi Trading LLP', address: '12 Altinho' }

test('each state is taken as a place of supply by its present code, and no code that has passed or is of no state', () => {
  const codes = [...new Set(states.flatMap(({ gstCodes }) => gstCodes))]
  const refused = codes.filter((placeOfSupply) => !readBillingDetails({ ...told, placeOfSupply }).ok)
  expect(refused.toSorted()).toEqual(['25', '28', '99'])
  expect(readBillingDetails({ ...told, placeOfSupply: '28' })).toMatchObject({
    member: 'place_of_supply',
    message: 'place_of_supply is 28, the code of Andhra Pradesh in former years. Send 37.',
  })
  expect(readBillingDetails({ ...told, placeOfSupply: '25' })).toMatchObject({
    message: 'place_of_supply is 25, the code of Dadra and Nagar Haveli and Daman and Diu in former years. Send 26.',
  })
  for (const placeOfSupply of ['00', '96', '99']) {
    expect(readBillingDetails({ ...told, placeOfSupply })).toMatchObject({
      message: 'place_of_supply is no code of a state, such as 27 for Maharashtra.',
    })
  }
})

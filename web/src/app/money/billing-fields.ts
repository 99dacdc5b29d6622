/** Billing details, as purchase forms ask for them and the API takes them; prefilled once they are stored. */

import { queryOptions, useQuery } from '@tanstack/react-query'
import type { components } from '../../../../client/api-types.ts'
import type { FieldShape, Typed } from '../../look/field-shape.ts'
import { placesOfSupply } from '../../look/states.ts'
import { api, dataOf } from '../../wire/api.ts'
import { readAgain } from '../../wire/queries.ts'

export const billingKept = queryOptions({
  queryKey: ['billing'],
  queryFn: async () => dataOf(await api.GET('/api/users/me/billing')),
})

export const useBilling = () => useQuery(billingKept)

interface Kept {
  readonly billing: Billing | null
  readonly revision: string
}

/** For a form that changes them, with other fields or alone. */
export const wholeBilling = (kept: Kept, fieldsOf: (billing: Billing | null) => readonly FieldShape[]) => {
  const begun = ({ billing, revision }: Kept) => ({ fields: fieldsOf(billing), revision })
  return { what: 'your billing details', ...begun(kept), readAnew: async () => begun(await readAgain(billingKept)) }
}

type Billing = components['schemas']['BillingDetails']

/** @param paidBy the field for the payment method where credits are one; paying with credits needs no invoice. */
export function billingFields(kept: Billing | null, paidBy?: string): readonly FieldShape[] {
  const when = paidBy === undefined ? {} : { when: { name: paidBy, is: ['online'] } }
  const fields: readonly FieldShape[] = [
    {
      ...{ name: 'legal_name', label: 'Legal name', fills: 'organization', initial: kept?.legal_name ?? '' },
      hint: 'Printed on your invoices.',
    },
    {
      ...{ name: 'address', label: 'Address with PIN code', fills: 'street-address' },
      ...{ kind: 'lines', initial: kept?.address ?? '' },
    },
    {
      ...{
        name: 'place_of_supply',
        label: 'Your state',
        fills: 'address-level1',
        initial: kept?.place_of_supply ?? '',
      },
      options: [{ value: '', label: 'choose' }, ...placesOfSupply],
      hint: 'The state of your GSTIN, if you have one.',
    },
    {
      ...{ name: 'gstin', label: 'GSTIN', optional: true, initial: kept?.gstin ?? '' },
      hint: 'Printed on your invoices, so that you can claim input tax.',
    },
  ]
  return fields.map((field) => ({ ...field, ...when }))
}

/** An empty object where no field was filled in. */
export const billingOf = ({ legal_name = '', address = '', place_of_supply, gstin }: Typed, revision: string) =>
  legal_name === '' && address === ''
    ? {}
    : {
        billing: {
          legal_name,
          address,
          ...(place_of_supply && { place_of_supply }),
          ...(gstin && { gstin }),
          revision,
        },
      }

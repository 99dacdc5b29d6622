/** Whom an invoice names, as the forms that sell ask for it and the API takes it; filled in once it was told. */
import { useQuery } from '@tanstack/react-query'
import type { FieldShape, Typed } from '../../look/field-shape.ts'
import { placesOfSupply } from '../../look/states.ts'
import { api, dataOf } from '../../wire/api.ts'

export const useBilling = () =>
  useQuery({ queryKey: ['billing'], queryFn: async () => dataOf(await api.GET('/api/users/me/billing')) })

interface Billing {
  readonly legal_name: string
  readonly address: string
  readonly place_of_supply: string
  readonly gstin: string | null
}

/** @param paidBy the field that chooses how it is paid, where credits are a way, too: they need no invoice. */
export function billingFields(kept: Billing | null | undefined, paidBy?: string): readonly FieldShape[] {
  const when = paidBy === undefined ? {} : { when: { name: paidBy, is: ['online'] } }
  const fields: readonly FieldShape[] = [
    {
      ...{ name: 'legal_name', label: 'Legal name', initial: kept?.legal_name ?? '' },
      hint: 'Stands on the invoice.',
    },
    { name: 'address', label: 'Address with PIN code', kind: 'lines', initial: kept?.address ?? '' },
    {
      ...{ name: 'place_of_supply', label: 'Your state', initial: kept?.place_of_supply ?? '' },
      options: [{ value: '', label: 'choose' }, ...placesOfSupply],
      hint: 'That of your GSTIN, if you have one.',
    },
    {
      ...{ name: 'gstin', label: 'GSTIN', optional: true, initial: kept?.gstin ?? '' },
      hint: 'Stands on the invoice, for your input tax.',
    },
  ]
  return fields.map((field) => ({ ...field, ...when }))
}

/** Nothing where nothing of it was typed. */
export const billingOf = ({ legal_name = '', address = '', place_of_supply, gstin }: Typed) =>
  legal_name === '' && address === ''
    ? {}
    : { billing: { legal_name, address, ...(place_of_supply && { place_of_supply }), ...(gstin && { gstin }) } }

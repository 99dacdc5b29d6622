/** What an invoice must know of its buyer, as the forms ask for it and the API takes it. */
import type { FieldShape, Typed } from '../../look/field.tsx'

export const invoiceFields: readonly FieldShape[] = [
  { name: 'gstin', label: 'GSTIN of the buyer', optional: true, hint: 'Stands on the invoice, for your input tax.' },
  {
    name: 'place_of_supply',
    label: 'Code of the buyer’s state',
    optional: true,
    hint: 'Two digits, such as 27 for Maharashtra. Unless told, that of the GSTIN, else the seller’s.',
  },
]

export const invoiceOf = ({ gstin, place_of_supply }: Typed) => ({
  ...(gstin && { gstin }),
  ...(place_of_supply && { place_of_supply }),
})

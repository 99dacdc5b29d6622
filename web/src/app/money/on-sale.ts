/** The products on sale, read once for the pages that sell them. */
import { paise } from '../../look/numbers.ts'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'

export const usePacks = () => useRead(['packs'], () => api.GET('/api/credits/packs'))

export const usePlans = () => useRead(['plans'], () => api.GET('/api/plans'))

interface Priced {
  readonly amount: number
  readonly net: number
  readonly tax: number
}

/** `₹1,180.00, including ₹180.00 GST`. */
export const withTax = ({ amount, tax }: Priced): string => `${paise(amount)}, including ${paise(tax)} GST`

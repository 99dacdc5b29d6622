/** The products on sale, read once for the pages that sell them. */
import { useQuery } from '@tanstack/react-query'
import { paise } from '../../look/numbers.ts'
import { api, dataOf } from '../../wire/api.ts'

export const usePacks = () =>
  useQuery({ queryKey: ['packs'], queryFn: async () => dataOf(await api.GET('/api/credits/packs')) })

export const usePlans = () =>
  useQuery({ queryKey: ['plans'], queryFn: async () => dataOf(await api.GET('/api/plans')) })

interface Priced {
  readonly amount: number
  readonly net: number
  readonly tax: number
}

/** `₹1,180.00, including ₹180.00 GST`. */
export const withTax = ({ amount, tax }: Priced): string => `${paise(amount)}, including ${paise(tax)} GST`

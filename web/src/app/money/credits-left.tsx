/** The number of credits left, shown on every page. */
import { Link } from 'wouter'
import { counted } from '../../look/numbers.ts'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'

export const useCreditLots = () => useRead(['credits', 'lots'], () => api.GET('/api/credits/lots'))

export const leftOf = (lots: readonly { readonly left: number }[]): number =>
  lots.reduce((sum, lot) => sum + lot.left, 0)

export function LinkToCredits() {
  const { data: lots } = useCreditLots()
  if (!lots) return null
  return (
    <Link href="/credits" className="credits-left">
      {counted(leftOf(lots.data), 'credit')} left
    </Link>
  )
}

/** How many credits are left, wherever one is. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { counted } from '../../look/numbers.ts'
import { api, dataOf } from '../../wire/api.ts'

export function CreditsLeft() {
  const lots = useQuery({
    queryKey: ['credits', 'lots'],
    queryFn: async () => dataOf(await api.GET('/api/credits/lots')),
  })
  if (!lots.data) return null
  const left = lots.data.data.reduce((sum, lot) => sum + lot.left, 0)
  return (
    <Link href="/credits" className="credits-left">
      {counted(left, 'credit')} left
    </Link>
  )
}

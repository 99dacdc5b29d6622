/** One run, kept current by server-sent events while it is running, or by polling where none arrive. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followRun } from '../../wire/run-events.ts'
import { isUnderWay, readRun } from './run-reads.ts'

const askEveryMs = 1_500
const restingMs = 15_000

export function useRun(id: string) {
  const cache = useQueryClient()
  const [isLive, setIsLive] = useState(false)
  const run = useQuery({
    queryKey: ['runs', 'one', id],
    queryFn: () => readRun(id),
    refetchInterval: ({ state }) => (!isLive && state.data && isUnderWay(state.data) ? askEveryMs : restingMs),
  })
  const isAtWork = run.data !== undefined && isUnderWay(run.data)
  useEffect(() => {
    if (!isAtWork) return
    const leaving = new AbortController()
    void followRun(id, {
      signal: leaving.signal,
      onRun: (update) => cache.setQueryData(['runs', 'one', id], update),
      onLive: setIsLive,
    })
    return () => {
      leaving.abort()
      setIsLive(false)
    }
  }, [id, isAtWork, cache])
  return { run, isLive }
}

/** What a read shows while it is under way, when it failed, and when it is there. Old data stays while new is read. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure } from './failure.tsx'

export function Reading<T>(props: {
  readonly of: UseQueryResult<T>
  /** What is being read, for example `the imports`. */
  readonly what: string
  readonly children: (data: T) => ReactNode
}) {
  const { of: query, what, children } = props
  if (query.data !== undefined) {
    return (
      <>
        {query.isError && <Failure of={query.error} again={() => void query.refetch()} />}
        {children(query.data)}
      </>
    )
  }
  if (query.isError) return <Failure of={query.error} again={() => void query.refetch()} />
  return (
    <>
      <p className="unseen" role="status">
        Loading {what} …
      </p>
      <Skeleton />
    </>
  )
}

const lines = ['title', 'whole', 'whole', 'whole', 'half'] as const

/** What stands where a reading will be; not before it takes a moment. */
function Skeleton() {
  return (
    <div className="skeleton" aria-hidden="true">
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are always the same.
        <span key={at} className={line} />
      ))}
    </div>
  )
}

/** Shows a read as loading, failed or loaded. Old data stays while it is refetched. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure } from './failure.tsx'

export function Reading<T>(props: {
  readonly of: UseQueryResult<T>
  /** What is loading, for example `the imports`. */
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

/** A placeholder, shown only once loading takes a moment. */
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

/** The audit log as far as it is loaded, with a button that loads more. */
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type AuditRow, AuditTable } from './audit-table.tsx'
import { BusyButton } from './busy-button.tsx'
import { Failure } from './failure.tsx'

type Pages = InfiniteData<{ readonly data: readonly AuditRow[] }>

export function AuditPages({ of: log }: { readonly of: UseInfiniteQueryResult<Pages> }) {
  return (
    <>
      {log.isError && <Failure of={log.error} again={() => void log.refetch()} />}
      {log.isPending && <p role="status">Loading the audit log …</p>}
      {log.data && <AuditTable entries={log.data.pages.flatMap(({ data }) => data)} />}
      {log.hasNextPage && (
        <BusyButton isBusy={log.isFetching} press={() => log.fetchNextPage()}>
          {log.isFetching ? 'Reading more …' : 'Show more'}
        </BusyButton>
      )}
    </>
  )
}

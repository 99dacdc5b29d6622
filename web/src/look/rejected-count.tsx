/** How many leads an act about the rejected ones is for, before somebody does it. */
import { useQuery } from '@tanstack/react-query'
import { counted } from './numbers.ts'
import { Reading } from './reading.tsx'

/** @param props.of what the deliveries are narrowed to. @param props.read their number there. */
export function RejectedCount({ of, read }: { readonly of: object; readonly read: () => Promise<number> }) {
  const rejected = useQuery({ queryKey: ['deliveries', 'rejected', of], queryFn: read })
  return (
    <Reading of={rejected} what="what was rejected">
      {(total) => <p>{counted(total, 'lead is', 'leads are')} rejected.</p>}
    </Reading>
  )
}

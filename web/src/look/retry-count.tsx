/**
 * How many leads a retry is about: the rejected ones, and the pending ones, which are also tried at once. It leaves some of them as they
 * are, as `retry.sql` says.
 */
import { useQuery } from '@tanstack/react-query'
import { counted } from './numbers.ts'
import { Reading } from './reading.tsx'

/** @param props.of the filters of the deliveries. @param props.read counts those with an outcome. */
export function RetryCount(props: {
  readonly of: object
  readonly read: (outcome: 'rejected' | 'pending') => Promise<number>
}) {
  const { of, read } = props
  const counts = useQuery({
    queryKey: ['deliveries', 'to retry', of],
    queryFn: async () => {
      const [rejected, pending] = await Promise.all([read('rejected'), read('pending')])
      return { rejected, pending }
    },
  })
  return (
    <Reading of={counts} what="what would be tried again">
      {({ rejected, pending }) => (
        <p>
          {counted(rejected, 'lead is', 'leads are')} rejected
          {pending > 0 && <>, and {counted(pending, 'pending one is', 'pending ones are')} tried at once, too</>}. Those
          of removed CRMs, and those that were withdrawn or recalled or wait for a plan, stay as they are.
        </p>
      )}
    </Reading>
  )
}

/** How many leads a retry would send: the rejected ones, and the pending ones, which are also tried at once. */
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
          {pending > 0 && <>, and {counted(pending, 'pending one is', 'pending ones are')} tried at once, too</>}.
        </p>
      )}
    </Reading>
  )
}

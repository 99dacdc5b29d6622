/** What a standing order would have found in the last days; it loads on request, because it costs a search. */
import { useState } from 'react'
import { api, dataOf } from '../../wire/api.ts'
import { PreviewDays } from './preview-days.tsx'

/** @param shown at once: a new order should be previewed before it is switched on. */
export function StandingPreview(props: {
  readonly id: string
  /** Of what it looks for and may spend. */
  readonly revision: string
  readonly type: 'company' | 'gst'
  readonly shown: boolean
}) {
  const { id, revision, type, shown } = props
  const [isAsked, setAsked] = useState(shown)
  const ask = async (day: string | undefined) => {
    const params = { path: { id }, query: day === undefined ? {} : { day } }
    return dataOf(await api.GET('/api/standing-orders/{id}/preview', { params }))
  }
  return (
    <section>
      <h2>Preview</h2>
      {isAsked ? (
        <PreviewDays of={[id, revision]} type={type} ask={ask} />
      ) : (
        <p>
          <button type="button" onClick={() => setAsked(true)}>
            Show the last 30 days
          </button>
        </p>
      )}
    </section>
  )
}

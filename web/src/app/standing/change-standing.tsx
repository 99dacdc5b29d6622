/** The form that changes a standing order, with a preview of what it would have found. */
import { useParams } from 'wouter'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'
import { useCrms } from './crms.ts'
import { Editor } from './editor.tsx'
import { standingTyped } from './standing-typed.ts'

export default function ChangeStanding() {
  const { id = '' } = useParams()
  const crms = useCrms()
  const path = { params: { path: { id } } }
  const order = useRead(['standing-order', id], () => api.GET('/api/standing-orders/{id}', path))
  return (
    <Reading of={order} what="this standing order">
      {(known) =>
        crms && (
          <Editor
            key={id}
            draftName={id}
            begun={{ known, query: '', type: known.type, crms }}
            title={`Change ${known.name}`}
            says={`${known.name} is changed.`}
            back={`/standing-orders/${id}`}
            readAnew={async () => (await order.refetch({ throwOnError: true })).data ?? known}
            save={async (typed, revision) => {
              const body = { ...standingTyped(typed, known), revision }
              return dataOf(await api.PATCH('/api/standing-orders/{id}', { ...path, body })).standing_order_id
            }}
          />
        )
      }
    </Reading>
  )
}

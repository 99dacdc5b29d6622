/** A new standing order, for a query from Search or for one typed here. */
import { useAddressState } from '../../look/address-state.ts'
import { Page } from '../../look/page.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { useCrms } from './crms.ts'
import { Editor } from './editor.tsx'
import { types } from './standing-fields.ts'
import { standingTyped, typeIn } from './standing-typed.ts'

const title = 'Make a standing order'

export default function MakeStanding() {
  const [query] = useAddressState('query')
  const [asked] = useAddressState('type')
  const crms = useCrms()
  if (!crms) return <Page title={title}>{null}</Page>
  const type = types.find(({ value }) => value === asked)?.value ?? 'company'
  return (
    <Editor
      key={query}
      draftName={`of ${query}`}
      begun={{ query, type, crms }}
      title={title}
      says="It is a draft. Switch it on when its preview is what you want."
      back="/standing-orders"
      save={async (typed) => {
        const body = { ...standingTyped(typed), type: typeIn(typed) }
        return dataOf(await api.POST('/api/standing-orders', { body })).standing_order_id
      }}
    />
  )
}

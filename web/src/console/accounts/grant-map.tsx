/** A map of each granted feed: whole states, states granted in part, and the others. */
import type { components } from '../../../../client/api-types.ts'
import { useAddressState } from '../../look/address-state.ts'
import { Choice } from '../../look/choice.tsx'
import { registerName } from '../../look/register-names.ts'
import { StateMap } from '../../look/state-map.tsx'
import { stateNames } from '../../look/states.ts'

type Grant = components['schemas']['Grant']

export function GrantMap({ grants }: { readonly grants: readonly Grant[] }) {
  const [feed, setFeed] = useAddressState('feed')
  const active = grants.filter(({ state }) => state === 'active')
  const feeds = [...new Set(active.map(({ dataset }) => dataset))]
  const of = active.filter(({ dataset }) => feed === '' || dataset === feed)
  if (feeds.length === 0) return null
  const readers = (name: string) =>
    of.filter(({ territory }) => !territory.restricted || territory.states?.includes(name))
  const granted = stateNames.filter((name) => readers(name).length > 0)
  const byPlace = of.some(({ territory: { districts, pincodes } }) => (districts ?? pincodes) !== null)
  return (
    <div>
      <div className="filters">
        <Choice
          label="On the map"
          value={feed}
          options={['', ...feeds.map((value) => ({ value, label: registerName(value) }))]}
          set={setFeed}
        />
      </div>
      <StateMap
        label={`It reads ${granted.length === stateNames.length ? 'all states' : granted.join(', ') || 'no whole state'}`}
        toneOf={(name) => (readers(name).length > 0 ? 'main' : 'plain')}
      />
      {byPlace && <p className="hint">Granted districts and PIN codes are shown in the list.</p>}
    </div>
  )
}

/** Selects all matches of a search, up to the maximum of one order. */
import { useState } from 'react'
import { BusyButton } from '../../../look/busy-button.tsx'
import { Failure } from '../../../look/failure.tsx'
import { count } from '../../../look/numbers.ts'
import type { Chosen } from '../../listed/record-table.tsx'
import { type Hit, searchAll, togetherMax, type View } from '../found.ts'
import type { Kind } from '../language.ts'

export function SelectAll(props: {
  readonly query: string
  readonly type: Kind
  readonly view: View
  readonly total: number
  readonly isDone: boolean
  readonly choose: (chosen: Chosen<Hit>) => void
  /** Called while they load: until then the selection is incomplete. */
  readonly begins: (isUnderWay: boolean) => void
}) {
  const { query, type, view, total, isDone, choose, begins } = props
  const [state, setState] = useState<{ readonly come?: number; readonly failure?: unknown }>({})
  const isBusy = state.come !== undefined
  const label = total > togetherMax ? `Select the first ${count(togetherMax)}` : `Select all ${count(total)} that match`
  const gather = async () => {
    setState({ come: 0 })
    begins(true)
    try {
      const all = await searchAll(query, type, view, (come) => setState({ come }))
      choose(new Map(all.map((hit) => [hit.id, hit])))
      setState({})
    } catch (failure) {
      setState({ failure })
    } finally {
      begins(false)
    }
  }
  if (isDone) {
    return (
      <button type="button" onClick={() => choose(new Map())}>
        Select none
      </button>
    )
  }
  return (
    <>
      <BusyButton isBusy={isBusy} press={gather}>
        {isBusy ? `Selecting … ${count(state.come ?? 0)}` : label}
      </BusyButton>
      {state.failure !== undefined && <Failure of={state.failure} />}
    </>
  )
}

/**
 * What was taken away last, with the button that brings it back. It stands above whatever page is open, until it was brought
 * back, put aside, or something else was taken away.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { isReadAnew } from '../wire/queries.ts'
import { Failure } from './failure.tsx'

export interface Removed {
  /** Such as `Competitors is deleted.` */
  readonly says: string
  readonly restore: () => Promise<unknown>
}

const Tell = createContext<(removed: Removed) => void>(() => {})

/** @returns what is told of each thing that was taken away and can be brought back. */
export const useUndo = () => useContext(Tell)

export function UndoPlace({ children }: { readonly children: ReactNode }) {
  const [latest, setLatest] = useState<{ readonly removed: Removed; readonly number: number }>()
  const tell = (removed: Removed) => setLatest((before) => ({ removed, number: (before?.number ?? 0) + 1 }))
  return (
    <Tell value={tell}>
      {latest && <Undo key={latest.number} of={latest.removed} close={() => setLatest(undefined)} />}
      {children}
    </Tell>
  )
}

function Undo({ of: { says, restore }, close }: { readonly of: Removed; readonly close: () => void }) {
  const cache = useQueryClient()
  const act = useMutation({
    mutationFn: restore,
    onSuccess: async () => {
      close()
      await cache.invalidateQueries({ predicate: isReadAnew })
    },
  })
  return (
    <div className="notice acts">
      <span role="status">{says}</span>
      <button type="button" disabled={act.isPending} onClick={() => act.mutate()}>
        {act.isPending ? 'Bringing it back …' : 'Undo'}
      </button>
      <button type="button" className="as-link" onClick={close}>
        It may go
      </button>
      {act.isError && <Failure of={act.error} />}
    </div>
  )
}

/**
 * Toasts, shown above every page and read out. One with an Undo button stays until it is used or closed. F8 moves the
 * focus there, and a toast stays while somebody reads or points at it.
 */
import * as Toast from '@radix-ui/react-toast'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { isReadAnew } from '../wire/queries.ts'
import { Failure } from './failure.tsx'
import { useAct } from './use-act.ts'

export interface Happened {
  /** Such as `Competitors is deleted.` */
  readonly says: string
  readonly stays?: boolean
  readonly restore?: () => Promise<unknown>
}

const ShowToast = createContext<(happened: Happened) => void>(() => {})

export const useToast = () => useContext(ShowToast)

const shownMs = 6_000
const shownAtOnce = 3

export function ToastPlace({ children }: { readonly children: ReactNode }) {
  const [all, setAll] = useState<readonly (Happened & { readonly number: number })[]>([])
  const show = (happened: Happened) =>
    setAll((before) => [...before, { ...happened, number: (before.at(-1)?.number ?? 0) + 1 }].slice(-shownAtOnce))
  return (
    <ShowToast value={show}>
      <Toast.Provider label="What happened" duration={shownMs}>
        {children}
        {all.map(({ number, ...happened }) => (
          <Shown
            key={number}
            of={happened}
            close={() => setAll((before) => before.filter((each) => each.number !== number))}
          />
        ))}
        <Toast.Viewport className="toasts" label="What happened ({hotkey})" />
      </Toast.Provider>
    </ShowToast>
  )
}

function Shown({ of: { says, restore, stays }, close }: { readonly of: Happened; readonly close: () => void }) {
  const staysUntilClosed = restore !== undefined || stays === true
  return (
    <Toast.Root
      className="toast"
      type="background"
      onOpenChange={(open) => {
        if (!open) close()
      }}
      {...(staysUntilClosed && { duration: Number.POSITIVE_INFINITY })}
    >
      <Toast.Description className="toast-says">{says}</Toast.Description>
      {restore && <Undo restore={restore} close={close} />}
      <Toast.Close aria-label="Close">×</Toast.Close>
    </Toast.Root>
  )
}

function Undo({ restore, close }: { readonly restore: () => Promise<unknown>; readonly close: () => void }) {
  const cache = useQueryClient()
  const act = useAct({
    mutationFn: restore,
    onSuccess: async () => {
      close()
      await cache.invalidateQueries({ predicate: isReadAnew })
    },
  })
  return (
    <>
      <button type="button" aria-disabled={act.isPending} onClick={() => act.mutate()}>
        {act.isPending ? 'Undoing …' : 'Undo'}
      </button>
      {act.isError && <Failure of={act.error} />}
    </>
  )
}

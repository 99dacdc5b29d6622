/** A button that does nothing while what it began is under way. It is not disabled then: that takes the focus from whoever pressed it. */
import type { ReactNode } from 'react'

export function BusyButton(props: {
  readonly isBusy: boolean
  readonly press: () => unknown
  readonly tone?: 'main'
  readonly children: ReactNode
}) {
  const { isBusy, press, tone, children } = props
  return (
    <button type="button" className={tone} aria-disabled={isBusy} onClick={() => void (isBusy || press())}>
      {children}
    </button>
  )
}

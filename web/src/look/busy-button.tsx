/** A button that ignores presses while its action runs. It is not disabled, because that would lose the keyboard focus. */
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

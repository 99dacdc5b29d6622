/** A text button with a popup; Escape and a press elsewhere close it. */
import { Popover, PopoverDisclosure, PopoverProvider } from '@ariakit/react'
import type { ReactNode } from 'react'

export interface TipProps {
  readonly of: ReactNode
  readonly name: string
  readonly children: ReactNode
}

export default function TipBox({ of, name, children }: TipProps) {
  return (
    <PopoverProvider placement="bottom-start">
      <PopoverDisclosure className="tip">{of}</PopoverDisclosure>
      <Popover className="tip-box" gutter={4} aria-label={name} portal preserveTabOrder={false} unmountOnHide>
        {children}
      </Popover>
    </PopoverProvider>
  )
}

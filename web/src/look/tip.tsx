/** What has no room in sight, behind the words that it belongs to. It is pressed, so that a mouse, a keyboard and a finger all open it. */
import { lazy, Suspense } from 'react'
import type { TipProps } from './tip-box.tsx'

const TipBox = lazy(() => import('./tip-box.tsx'))

export function Tip(props: TipProps) {
  return (
    <Suspense fallback={props.of}>
      <TipBox {...props} />
    </Suspense>
  )
}

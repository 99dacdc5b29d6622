/** What has no room in sight, behind the words that it belongs to. It is pressed, so that a mouse, a keyboard and a finger all open it. */
import { Suspense } from 'react'
import { lazyPart } from './lazy-part.tsx'
import type { TipProps } from './tip-box.tsx'

const TipBox = lazyPart(
  () => import('./tip-box.tsx'),
  ({ of }) => of,
)

export function Tip(props: TipProps) {
  return (
    <Suspense fallback={props.of}>
      <TipBox {...props} />
    </Suspense>
  )
}

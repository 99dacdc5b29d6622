/** Details that do not fit, behind a text. It opens on a press, so it works with mouse, keyboard and touch. */
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

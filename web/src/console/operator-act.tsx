/** A button for an action, shown only where the operator's role allows it. */
import { Act, type ActProps } from '../look/act.tsx'
import type { OperatorSession } from '../wire/session.ts'
import { useMay } from './operator.ts'

export function OperatorAct<Result>(props: ActProps<Result> & { readonly needs?: OperatorSession['role'] }) {
  const { needs = 'operator', ...act } = props
  return useMay(needs) ? <Act {...act} /> : null
}

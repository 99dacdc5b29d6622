/** An act that only shows where the scopes of the session's key allow it. */
import { Act, type ActProps } from '../look/act.tsx'
import { useMay } from './account.ts'

export function AccountAct<Result>(
  props: ActProps<Result> & { readonly needs: 'read' | 'write' | 'order' | 'deliver' | 'keys' },
) {
  const { needs, ...act } = props
  return useMay(needs) ? <Act {...act} /> : null
}

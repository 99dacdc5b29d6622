/** An act that only shows where the role of the person, or the scopes of the session's key, allow it. */
import { Act, type ActProps } from '../look/act.tsx'
import { type Need, useMay } from './account.ts'

export function AccountAct<Result>(
  props: ActProps<Result> & {
    readonly needs: Need
    /** Of people, only admins decide it. */
    readonly asAdmin?: boolean
  },
) {
  const { needs, asAdmin = false, ...act } = props
  return useMay(needs, asAdmin) ? <Act {...act} /> : null
}

/** A button for an action, shown only where the person's role or the scopes of the session's key allow it. */
import { Act, type ActProps } from '../look/act.tsx'
import { type Need, useMay } from './account.ts'

export function AccountAct<Result>(
  props: ActProps<Result> & {
    readonly needs: Need
    /** Among people, only admins may do it. */
    readonly asAdmin?: boolean
  },
) {
  const { needs, asAdmin = false, ...act } = props
  return useMay(needs, asAdmin) ? <Act {...act} /> : null
}

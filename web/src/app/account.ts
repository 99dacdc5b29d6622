/** The account that is signed in, and what its key or person may do. */
import { createContext, useContext } from 'react'
import type { AccountSession } from '../wire/session.ts'

export const Account = createContext<AccountSession>({
  ...{
    user_id: '',
    email: '',
    name: '',
    scopes: [],
    person: null,
    must_add_second_factor: false,
    viewed_by: null,
    is_sample_world: false,
  },
})

export type Need = 'read' | 'write' | 'order' | 'deliver' | 'keys'

/** @param asAdmin among people, only an admin may do it. A key needs only the scope. */
export function useMay(scope: Need, asAdmin = false): boolean {
  const { scopes, viewed_by, person } = useContext(Account)
  const isAllowed = !asAdmin || person === null || person.role === 'admin'
  return viewed_by === null && scopes.includes(scope) && isAllowed
}

/** A page that a person of any role may read, and a key with the scope. */
export function useMayRead(scope: Need): boolean {
  const { person } = useContext(Account)
  return useMay(scope) || person !== null
}

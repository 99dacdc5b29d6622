/** Whose pages these are, and what the key that opened them may do. */
import { createContext, useContext } from 'react'
import type { AccountSession } from '../wire/session.ts'

export const Account = createContext<AccountSession>({ user_id: '', email: '', name: '', scopes: [], viewed_by: null })

export function useMay(scope: 'read' | 'write' | 'order' | 'deliver' | 'keys'): boolean {
  const { scopes, viewed_by } = useContext(Account)
  return viewed_by === null && scopes.includes(scope)
}

/** Whose pages these are, and what the key that opened them may do. */
import { createContext, useContext } from 'react'
import type { AccountSession } from '../wire/session.ts'

export const Account = createContext<AccountSession>({ user_id: '', email: '', name: '', scopes: [] })

export function useMay(scope: 'read' | 'order' | 'deliver'): boolean {
  return useContext(Account).scopes.includes(scope)
}

/** Who is signed in, and what this role may press. The server decides; the page only leaves out what would be refused. */
import { createContext, useContext } from 'react'
import type { OperatorSession } from '../wire/session.ts'

const rank = { accountant: 0, viewer: 1, operator: 2, owner: 3 } as const

export const Operator = createContext<OperatorSession>({ name: '', role: 'viewer', is_sample_world: false })

export function useMay(role: OperatorSession['role']): boolean {
  return rank[useContext(Operator).role] >= rank[role]
}

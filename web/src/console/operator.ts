/** The signed-in operator and what the role may do. The server decides; the pages only hide what it would refuse. */
import { createContext, useContext } from 'react'
import type { OperatorSession } from '../wire/session.ts'

const rank = { accountant: 0, viewer: 1, operator: 2, owner: 3 } as const

export const Operator = createContext<OperatorSession>({ name: '', role: 'viewer', is_sample_world: false })

export function useMay(role: OperatorSession['role']): boolean {
  return rank[useContext(Operator).role] >= rank[role]
}

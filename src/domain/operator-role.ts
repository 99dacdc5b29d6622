/** What an operator may do. An accountant reads money alone, a viewer everything, an operator also acts, an owner also decides who the operators are. */
export const operatorRoles = ['accountant', 'viewer', 'operator', 'owner'] as const
export type OperatorRole = (typeof operatorRoles)[number]

export const roleAllows = (held: OperatorRole, needed: OperatorRole): boolean =>
  operatorRoles.indexOf(held) >= operatorRoles.indexOf(needed)

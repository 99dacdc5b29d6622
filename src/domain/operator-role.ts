/**
 * Roles of operators. An accountant only reads money, a viewer reads everything, an operator also acts, an owner also
 * manages operators.
 */
export const operatorRoles = ['accountant', 'viewer', 'operator', 'owner'] as const
export type OperatorRole = (typeof operatorRoles)[number]

export const roleAllows = (held: OperatorRole, needed: OperatorRole): boolean =>
  operatorRoles.indexOf(held) >= operatorRoles.indexOf(needed)

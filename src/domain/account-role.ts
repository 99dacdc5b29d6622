/**
 * Roles within an account. A viewer reads; a buyer also orders, delivers and keeps lists; an admin also manages keys,
 * money, destinations and people.
 */
import type { KeyScope } from './key-scope.ts'

export const accountRoles = ['viewer', 'buyer', 'admin'] as const
export type AccountRole = (typeof accountRoles)[number]

export const accountRoleAllows = (held: AccountRole, needed: AccountRole): boolean =>
  accountRoles.indexOf(held) >= accountRoles.indexOf(needed)

/** The scopes of a person's session, in the terms of API keys. */
export const scopesOfRole: Readonly<Record<AccountRole, readonly KeyScope[]>> = {
  viewer: ['read'],
  buyer: ['read', 'write', 'order', 'deliver'],
  admin: ['read', 'write', 'order', 'deliver', 'keys'],
}

/** The lowest role that has all of these scopes. */
export const roleForScopes = (scopes: readonly KeyScope[]): AccountRole =>
  accountRoles.find((role) => scopes.every((scope) => scopesOfRole[role].includes(scope))) ?? 'admin'

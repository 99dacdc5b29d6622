import type { Principal } from '../../route-context.ts'

export const actorOf = ({ accountId, apiKeyId, scopes }: Principal) => ({
  actor: `account:${accountId}` as const,
  scopes,
  ...(apiKeyId !== null && { apiKeyId }),
})

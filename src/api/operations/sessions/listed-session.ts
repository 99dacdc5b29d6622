import type { Principal } from '../../route-context.ts'

export const actorOf = ({ accountId, apiKeyId, person, scopes }: Principal) => ({
  actor: `account:${accountId}` as const,
  scopes,
  ...(apiKeyId !== null && { apiKeyId }),
  ...(person && { personId: person.personId }),
})

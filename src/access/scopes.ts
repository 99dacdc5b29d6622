/** A session may do what its key may; anything else is an error that names the missing scopes. */
import { type KeyScope, scopesMissing } from '../domain/key-scope.ts'
import { AppError } from '../errors.ts'

/** @throws AppError SCOPE_MISSING naming every required scope that is missing. */
export function requireScopes(required: readonly KeyScope[], held: readonly KeyScope[]): void {
  const missing = scopesMissing(required, held)
  if (missing.length === 0) return
  throw new AppError(
    'SCOPE_MISSING',
    `The key that opened this session lacks the scope ${missing.join(', ')}. Log in with a key that has it.`,
    { extra: { missing_scopes: missing } },
  )
}

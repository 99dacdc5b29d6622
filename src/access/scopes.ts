/** A key opens sessions that may do what the key may; whoever asks for more is told what is missing. */
import { type KeyScope, scopesMissing } from '../domain/key-scope.ts'
import { AppError } from '../errors.ts'

/** @throws AppError SCOPE_MISSING naming every scope that is asked for and not held. */
export function requireScopes(asked: readonly KeyScope[], held: readonly KeyScope[]): void {
  const missing = scopesMissing(asked, held)
  if (missing.length === 0) return
  throw new AppError(
    'SCOPE_MISSING',
    `The key that opened this session has not the scope ${missing.join(', ')}. Log in with a key that has it.`,
    { extra: { missing_scopes: missing } },
  )
}

/**
 * The second factor of a person: setup returns a secret for the authenticator, and the first valid code activates it.
 * From then on a link alone is not enough. A person who lost the authenticator has ten recovery codes, each valid once.
 */
import { randomBytes } from 'node:crypto'
import { type Actor, audit } from '../audit/audit.ts'
import type { Db, Queryable, Tx } from '../db/db.ts'
import type { Secret } from '../domain/secret.ts'
import { AppError } from '../errors.ts'
import { sha256 } from './api-keys.ts'
import { requireCode } from './code-attempts.ts'
import type { ActingPerson } from './people.ts'
import { notifyOfSignIn, type SignInChange } from './sign-in-changes.ts'
import { base32 } from './totp.ts'
import { type BegunSecondFactor, beginTotp, confirmTotp, removeTotp, takeTotp } from './totp-secrets.ts'

const recoveryCodes = 10

/** Six digits of the authenticator, or a recovery code as shown. */
export const secondFactorShape = /^(?:\d{6}|[a-z2-7]{4}(?:-[a-z2-7]{4}){3})$/
const inGroups = (code: string): string => (code.match(/.{4}/g) ?? []).join('-')

/** What a person typed, as shown: in any case, with or without blanks and hyphens. */
export function typedFactor(text: string): string {
  const plain = text.toLowerCase().replace(/[\s-]/g, '')
  return plain.length === 16 ? inGroups(plain) : plain
}

const holderOf = (personId: string) => ({ kind: 'person', id: personId }) as const

/** Starting again creates another secret. @throws AppError CONFLICT when one is active. */
export async function beginPersonFactor(
  tx: Tx,
  secretKey: Secret,
  { personId, email }: Pick<ActingPerson, 'personId' | 'email'>,
): Promise<BegunSecondFactor> {
  const begun = await beginTotp(tx, secretKey, holderOf(personId), email)
  if (begun) return begun
  throw new AppError('CONFLICT', 'You already have a second factor. Remove it first.')
}

/**
 * @returns the recovery codes, which cannot be read again. @throws AppError UNPROCESSABLE for a wrong code,
 * LOGIN_THROTTLED
 */
export async function confirmPersonFactor(
  db: Db,
  secretKey: Secret,
  { personId, code, actor }: { readonly personId: string; readonly code: string; readonly actor: Actor },
): Promise<readonly string[]> {
  const codes = Array.from({ length: recoveryCodes }, newRecoveryCode)
  const take = async (tx: Tx) => {
    if (!(await takeTotp(tx, secretKey, holderOf(personId), code))) return false
    const change = (await hasPersonFactor(tx, personId)) ? 'codes-renewed' : 'factor-added'
    await confirmTotp(tx, holderOf(personId))
    await endRecoveryCodes(tx, personId)
    await tx.execute(
      'INSERT INTO access.recovery_code (code_sha256, person_id) SELECT code, $2 FROM unnest($1::bytea[]) AS code',
      [codes.map(sha256), personId],
    )
    await audit(tx, { actor, action: 'add second factor', subject: personId })
    await notifyOfSignIn(tx, { personId, change, by: 'person' })
    return true
  }
  await requireCode(db, personId, take, 'UNPROCESSABLE')
  return codes
}

/** Requires a code of it. @throws AppError NOT_FOUND, UNPROCESSABLE, LOGIN_THROTTLED */
export async function removeOwnFactor(
  db: Db,
  secretKey: Secret,
  { code, ...removed }: Omit<RemovedFactor, 'by'> & { readonly code: string },
): Promise<void> {
  const take = async (tx: Tx) => {
    if (!(await takeAny(tx, secretKey, removed.personId, code))) return false
    await removePersonFactor(tx, { ...removed, by: 'person' })
    return true
  }
  await requireCode(db, removed.personId, take, 'UNPROCESSABLE')
}

export interface RemovedFactor {
  readonly accountId: string
  readonly personId: string
  readonly actor: Actor
  readonly by: SignInChange['by']
}

/** For a person who lost the authenticator. @throws AppError NOT_FOUND where there is none. */
export async function removePersonFactor(tx: Tx, { accountId, personId, actor, by }: RemovedFactor): Promise<void> {
  if (!(await endFactor(tx, personId))) throw new AppError('NOT_FOUND', 'There is no second factor.')
  await audit(tx, { actor, action: 'remove second factor', subject: personId, accountId })
  await notifyOfSignIn(tx, { personId, change: 'factor-removed', by })
}

/** Also deletes its recovery codes. @returns whether there was one. */
export async function endFactor(tx: Queryable, personId: string): Promise<boolean> {
  await endRecoveryCodes(tx, personId)
  return removeTotp(tx, holderOf(personId))
}

const endRecoveryCodes = (tx: Queryable, personId: string): Promise<number> =>
  tx.execute('DELETE FROM access.recovery_code WHERE person_id = $1', [personId])

export async function hasPersonFactor(db: Queryable, personId: string): Promise<boolean> {
  const rows = await db.query('SELECT FROM access.person_totp WHERE person_id = $1 AND confirmed_at IS NOT NULL', [
    personId,
  ])
  return rows.length > 0
}

/** Requires the second factor of a person who has one. @throws AppError SECOND_FACTOR_REQUIRED, LOGIN_THROTTLED */
export async function requirePersonFactor(
  db: Db,
  secretKey: Secret,
  personId: string,
  code: string | undefined,
): Promise<void> {
  if (!(await hasPersonFactor(db, personId))) return
  if (code === undefined) {
    throw new AppError(
      'SECOND_FACTOR_REQUIRED',
      'Send the current code of the authenticator, or a recovery code, as totp.',
    )
  }
  await requireCode(db, personId, (tx) => takeAny(tx, secretKey, personId, code))
}

const takeAny = (tx: Queryable, secretKey: Secret, personId: string, code: string): Promise<boolean> =>
  /^\d{6}$/.test(code) ? takeTotp(tx, secretKey, holderOf(personId), code) : takeRecoveryCode(tx, personId, code)

async function takeRecoveryCode(tx: Queryable, personId: string, code: string): Promise<boolean> {
  const updated = await tx.execute(
    'UPDATE access.recovery_code SET used_at = now() WHERE code_sha256 = $1 AND person_id = $2 AND used_at IS NULL',
    [sha256(code), personId],
  )
  return updated === 1
}

/** 80 bits, in four groups to copy by hand. */
function newRecoveryCode(): string {
  return inGroups(base32(randomBytes(10)).toLowerCase())
}

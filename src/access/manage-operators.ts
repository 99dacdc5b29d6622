/**
 * Operators as rows: added with a token that is shown once, listed, revoked. A revoked token stops working with the
 * next call.
 */

import { type Actor, audit } from '../audit/audit.ts'
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { OperatorRole } from '../domain/operator-role.ts'
import { AppError } from '../errors.ts'
import { storedProof } from './operator-proof.ts'
import { newOperatorToken } from './operators.ts'

export interface OperatorRecord {
  readonly name: string
  readonly role: OperatorRole
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
}

const columns = `name, role, created_at AS "createdAt", last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"`
const nameShape = /^[a-z][a-z0-9_.-]{0,39}$/
/** Reserved: the audit log uses these names. */
const takenNames = ['default', 'metrics']

/** In answers and commands. Times in ISO 8601, UTC. */
export function operatorState(operator: OperatorRecord) {
  return {
    name: operator.name,
    role: operator.role,
    created_at: operator.createdAt.toISOString(),
    last_used_at: operator.lastUsedAt?.toISOString() ?? null,
    revoked_at: operator.revokedAt?.toISOString() ?? null,
  }
}

export interface NewOperator {
  readonly name: string
  readonly role: OperatorRole
  /** Names used in the environment. */
  readonly namesTaken: readonly string[]
  readonly actor: Actor
}

/**
 * @returns the token, which cannot be read again. @throws AppError UNPROCESSABLE for a malformed name, CONFLICT where
 * an active operator has it.
 */
export async function addOperator(
  tx: Queryable,
  { name, role, namesTaken, actor }: NewOperator,
): Promise<{ readonly record: OperatorRecord; readonly token: string }> {
  if (!nameShape.test(name)) {
    throw new AppError('UNPROCESSABLE', 'name: up to 40 lower-case letters, digits and . _ -, starting with a letter.')
  }
  const token = newOperatorToken()
  const [record] = [...takenNames, ...namesTaken].includes(name)
    ? []
    : await tx.query<OperatorRecord>(
        sql`INSERT INTO access.operator (name, role, token_sha256) VALUES ($1, $2, $3)
         ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING RETURNING ${columns}`,
        [name, role, storedProof(token)],
      )
  if (!record) throw new AppError('CONFLICT', `The operator ${name} already exists.`)
  await audit(tx, { actor, action: 'add operator', subject: `operator:${name}`, detail: { role } })
  return { record, token }
}

/** Active and revoked ones, by name. */
export async function listOperators(db: Queryable): Promise<OperatorRecord[]> {
  return db.query<OperatorRecord>(sql`SELECT ${columns} FROM access.operator ORDER BY name, created_at`)
}

/** @throws AppError NOT_FOUND if no active operator has the name. */
export async function revokeOperator(tx: Queryable, name: string, actor: Actor): Promise<OperatorRecord> {
  const [record] = await tx.query<OperatorRecord>(
    sql`UPDATE access.operator SET revoked_at = now() WHERE name = $1 AND revoked_at IS NULL RETURNING ${columns}`,
    [name],
  )
  if (!record) {
    throw new AppError(
      'NOT_FOUND',
      `There is no operator ${name} to revoke; those of the environment are removed there.`,
    )
  }
  // Views of accounts end with the console sessions.
  await tx.execute(
    sql`UPDATE access.session s SET revoked_at = now() FROM access.operator o
     WHERE s.viewer_id = o.operator_id::text AND o.name = $1 AND o.revoked_at IS NOT NULL AND s.revoked_at IS NULL`,
    [name],
  )
  await audit(tx, { actor, action: 'revoke operator', subject: `operator:${name}`, detail: { role: record.role } })
  return record
}

/**
 * Browser sessions of operators: a token opens a session of some hours, whose secret is in the browser's cookie and
 * stored hashed here.
 *
 * A session has the operator's current rights: the operator's row is read at each call, so a revocation or a changed
 * role applies at once; an hour without use ends it. A session of an operator of the environment stores a mark of that
 * token; with another token, or another secret key, it ends.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { browserRestMinutes, browserSessionHours } from '../../config/sign-in.ts'
import { audit } from '../audit/audit.ts'
import type { Queryable } from '../db/db.ts'
import type { OperatorRole } from '../domain/operator-role.ts'
import type { Secret } from '../domain/secret.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import { deriveFrom } from '../secrets/key-chain.ts'
import { comparableAddress } from './blocked-addresses.ts'
import { storedProof } from './operator-proof.ts'
import type { KnownOperator, Operator } from './operators.ts'

/** Marks of the environment's tokens by name. A plain hash would let a reader of the database try short tokens. */
export type EnvironmentMarks = ReadonlyMap<string, Buffer>

export function environmentMarks(operators: readonly Operator[], secretKey: Secret): EnvironmentMarks {
  const key = deriveFrom(secretKey, 'panji console session', 32)
  return new Map(
    operators.map(({ name, token }) => [name, createHmac('sha256', key).update(token.reveal()).digest()] as const),
  )
}

const secretShape = /^[\w-]{43}$/
/** Maximum of open sessions per operator; the oldest end. */
const sessionsMax = 50

export interface OpenedConsole {
  readonly sessionId: string
  readonly secret: string
  readonly expiresAt: Date
}

/**
 * @param replaces secret of the browser's current session, which ends. @param proof of a stored operator's token;
 * without it the database opens no session.
 */
export async function openConsoleSession(
  tx: Queryable,
  marks: EnvironmentMarks,
  operator: KnownOperator,
  {
    ip,
    replaces,
    proof,
  }: { readonly ip: string; readonly replaces: string | undefined; readonly proof?: string | undefined },
): Promise<OpenedConsole> {
  const secret = randomBytes(32).toString('base64url')
  const mark = isStored(operator) ? null : markOf(marks, operator)
  if (replaces) {
    await tx.execute(
      'UPDATE access.console_session SET ended_at = now() WHERE secret_sha256 = $1 AND ended_at IS NULL',
      [storedProof(replaces)],
    )
  }
  const [row] = await tx.query<{ sessionId: string; expiresAt: Date }>(
    `SELECT session_id AS "sessionId", expires_at AS "expiresAt"
     FROM access.open_console_session($1, $2, $3, $4, $5, $6, $7)`,
    [
      storedProof(secret),
      isStored(operator) ? operator.id : null,
      mark && operator.name,
      mark,
      comparableAddress(ip),
      browserSessionHours,
      proof ?? null,
    ],
  )
  if (!row) throw new Error('opening a session returned no row')
  await tx.execute(
    `UPDATE access.console_session SET ended_at = now() WHERE session_id IN (
       SELECT session_id FROM access.console_session
       WHERE coalesce(operator_id::text, environment_name) = $1 AND ended_at IS NULL AND expires_at > now()
       ORDER BY created_at DESC OFFSET $2)`,
    [holderOf(operator), sessionsMax],
  )
  const actor = `operator:${operator.name}` as const
  await audit(tx, { actor, action: 'sign in to console', subject: actor, detail: { sessionId: row.sessionId } })
  return { ...row, secret }
}

export interface ConsoleSession {
  readonly sessionId: string
  readonly operator: KnownOperator
  readonly expiresAt: Date
}

/** @returns the session with its operator's current rights; undefined if it ended or never existed. */
export async function findConsoleSession(
  db: Queryable,
  marks: EnvironmentMarks,
  secret: string,
): Promise<ConsoleSession | undefined> {
  if (!secretShape.test(secret)) return undefined
  const [row] = await db.query<{
    sessionId: string
    operatorId: string | null
    name: string
    role: OperatorRole | null
    mark: Buffer | null
    expiresAt: Date
    isStale: boolean
  }>(
    `SELECT s.session_id AS "sessionId", s.operator_id AS "operatorId", coalesce(o.name, s.environment_name) AS name, o.role,
            s.environment_mark AS mark, s.expires_at AS "expiresAt", s.last_used_at < now() - interval '1 minute' AS "isStale"
     FROM access.console_session s LEFT JOIN access.operator o USING (operator_id)
     WHERE s.secret_sha256 = $1 AND s.ended_at IS NULL AND s.expires_at > now() AND o.revoked_at IS NULL
       AND s.last_used_at > now() - make_interval(mins => $2)`,
    [storedProof(secret), browserRestMinutes],
  )
  if (!row) return undefined
  const { sessionId, operatorId, name, role, mark, expiresAt } = row
  const given = marks.get(name)
  if (mark !== null && !(given && timingSafeEqual(given, mark))) return undefined
  if (row.isStale) await noteUse(db, sessionId)
  return { sessionId, expiresAt, operator: { id: operatorId ?? 'environment', name, role: role ?? 'owner' } }
}

async function noteUse(db: Queryable, sessionId: string): Promise<void> {
  await db.execute(
    `WITH used AS (UPDATE access.console_session SET last_used_at = now() WHERE session_id = $1 RETURNING operator_id)
     UPDATE access.operator SET last_used_at = now() FROM used WHERE operator.operator_id = used.operator_id`,
    [sessionId],
  )
}

export interface ConsoleSessionRecord {
  readonly sessionId: string
  readonly name: string
  readonly openedFrom: string | null
  readonly createdAt: Date
  readonly lastUsedAt: Date
  readonly expiresAt: Date
}

/** The operator's open sessions, for an owner those of all operators; newest first. */
export async function listConsoleSessions(db: Queryable, operator: KnownOperator): Promise<ConsoleSessionRecord[]> {
  return db.query<ConsoleSessionRecord>(
    `SELECT s.session_id AS "sessionId", coalesce(o.name, s.environment_name) AS name, s.opened_from AS "openedFrom",
            s.created_at AS "createdAt", s.last_used_at AS "lastUsedAt", s.expires_at AS "expiresAt"
     FROM access.console_session s LEFT JOIN access.operator o USING (operator_id)
     WHERE s.ended_at IS NULL AND s.expires_at > now() AND o.revoked_at IS NULL
       AND s.last_used_at > now() - make_interval(mins => $3)
       AND ($1 OR coalesce(s.operator_id::text, s.environment_name) = $2)
     ORDER BY s.created_at DESC, s.session_id LIMIT 1000`,
    [operator.role === 'owner', holderOf(operator), browserRestMinutes],
  )
}

/** @throws AppError NOT_FOUND for an unknown session, or another operator's if this one is not an owner. */
export async function endConsoleSession(tx: Queryable, operator: KnownOperator, sessionId: string): Promise<void> {
  const [ended] = isUuid(sessionId)
    ? await tx.query<{ name: string }>(
        `WITH ended AS (
           UPDATE access.console_session SET ended_at = now()
           WHERE session_id = $1 AND ended_at IS NULL AND ($2 OR coalesce(operator_id::text, environment_name) = $3)
           RETURNING operator_id, environment_name)
         SELECT coalesce(o.name, environment_name) AS name FROM ended LEFT JOIN access.operator o USING (operator_id)`,
        [sessionId, operator.role === 'owner', holderOf(operator)],
      )
    : []
  if (!ended) throw new AppError('NOT_FOUND', 'There is no open session with this ID.')
  await audit(tx, {
    actor: `operator:${operator.name}`,
    action: 'end console session',
    subject: `operator:${ended.name}`,
    detail: { sessionId },
  })
}

const isStored = ({ id }: KnownOperator) => id !== 'environment'
/** IDs and names cannot collide: an operator's name is never shaped like an ID. */
const holderOf = (operator: KnownOperator): string => (isStored(operator) ? operator.id : operator.name)

function markOf(marks: EnvironmentMarks, { name }: KnownOperator): Buffer {
  const mark = marks.get(name)
  if (!mark) throw new Error(`the environment has no operator ${name}`)
  return mark
}

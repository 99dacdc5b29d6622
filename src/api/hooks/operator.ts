/**
 * Guards /admin: an operator's token as bearer, and a role that allows the route; the operator's name goes into the
 * audit log with each act.
 */
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sha256 } from '../../access/api-keys.ts'
import { type KnownOperator, type OperatorAuthenticator, requireRole } from '../../access/operators.ts'
import type { Secret } from '../../domain/secret.ts'
import { AppError } from '../../errors.ts'
import type { Strangers } from './stranger-bucket.ts'

/** No operator's token is shorter: the environment refuses it. */
const tokenShape = /^\S{16,512}$/

export interface OperatorCheck {
  readonly authenticate: OperatorAuthenticator
  readonly strangers: Strangers
  /** Whether it is one of the tokens, told at next to no cost; all others take the narrow lane. */
  readonly mayOpen: (token: string) => Promise<boolean>
}

export function addOperatorCheck(app: FastifyInstance, { authenticate, strangers, mayOpen }: OperatorCheck): void {
  app.addHook('onRequest', async (request) => {
    const operator = await entered(bearerIn(request), request.ip)
    // Before the role is asked for, so that its refusal is told of this operator.
    request.operatorId = operator.id
    request.operatorName = operator.name
    requireRole(operator, request.routeOptions.config.role ?? (isRead(request) ? 'viewer' : 'operator'))
  })

  async function entered(token: string | undefined, ip: string): Promise<KnownOperator> {
    const isShaped = token !== undefined && tokenShape.test(token)
    const enter = () => authenticate(token, ip)
    if (isShaped && (await mayOpen(token))) return enter()
    const read = isShaped && !strangers.others.isEmpty(ip) ? await strangers.lane.run(enter) : undefined
    if (read) return read.value
    throw new AppError('OPERATOR_TOKEN_REQUIRED', 'Send an operator token: "Authorization: Bearer <operator token>".')
  }
}

/** Compares with every token in constant time: the time tells neither a match nor its place. */
export function oneOf(tokens: readonly Secret[]): (token: string) => boolean {
  const digests = tokens.map((token) => sha256(token.reveal()))
  return (token) => {
    const given = sha256(token)
    return digests.filter((digest) => timingSafeEqual(digest, given)).length > 0
  }
}

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'
const bearerIn = (request: FastifyRequest) => /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]

/** Who acts, as the audit log names them: `operator:<name>`. */
export function operatorOf(request: { readonly operatorName: string | null }): `operator:${string}` {
  if (request.operatorName === null) throw new Error('this route runs without the operator check')
  return `operator:${request.operatorName}`
}

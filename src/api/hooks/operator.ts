/** Guards /admin: an operator's token as bearer; the operator's name goes into the audit log with each act. */
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sha256 } from '../../access/api-keys.ts'
import { addressOf } from '../../access/blocked-addresses.ts'
import type { OperatorDoor } from '../../access/operators.ts'
import type { Secret } from '../../domain/secret.ts'
import { AppError } from '../../errors.ts'
import type { Strangers } from './stranger-bucket.ts'

/** No operator's token is shorter: the environment refuses it. */
const tokenShape = /^\S{16,512}$/

export interface OperatorCheck {
  readonly door: OperatorDoor
  readonly strangers: Strangers
  /** Whether it is one of the tokens, told without the database; all others take the narrow lane. */
  readonly mayOpen: (token: string) => boolean
}

export function addOperatorCheck(app: FastifyInstance, { door, strangers, mayOpen }: OperatorCheck): void {
  app.addHook('onRequest', async (request) => {
    const token = bearerIn(request)
    const isShaped = token !== undefined && tokenShape.test(token)
    const enter = () => door(token, addressOf(request.ip))
    if (isShaped && mayOpen(token)) {
      request.operatorName = await enter()
      return
    }
    const read = isShaped && !strangers.others.isEmpty(request.ip) ? await strangers.lane.run(enter) : undefined
    if (!read) {
      throw new AppError('OPERATOR_TOKEN_REQUIRED', 'Send an operator token: "Authorization: Bearer <operator token>".')
    }
    request.operatorName = read.value
  })
}

/** Compares with every token in constant time: the time tells neither a match nor its place. */
export function oneOf(tokens: readonly Secret[]): (token: string) => boolean {
  const digests = tokens.map((token) => sha256(token.reveal()))
  return (token) => {
    const given = sha256(token)
    return digests.filter((digest) => timingSafeEqual(digest, given)).length > 0
  }
}

const bearerIn = (request: FastifyRequest) => /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]

/** Who acts, as the audit log names them: `operator:<name>`. */
export function operatorOf(request: { readonly operatorName: string | null }): `operator:${string}` {
  if (request.operatorName === null) throw new Error('this route runs without the operator check')
  return `operator:${request.operatorName}`
}

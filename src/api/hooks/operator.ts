/** Guards /admin: an operator's token as bearer; the operator's name goes into the audit log with each act. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addressOf } from '../../access/blocked-addresses.ts'
import type { OperatorDoor } from '../../access/operators.ts'

export function addOperatorCheck(app: FastifyInstance, door: OperatorDoor): void {
  app.addHook('onRequest', async (request) => {
    request.operatorName = await door(bearerIn(request), addressOf(request.ip))
  })
}

const bearerIn = (request: FastifyRequest) => /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]

/** Who acts, as the audit log names them: `operator:<name>`. */
export function operatorOf(request: { readonly operatorName: string | null }): `operator:${string}` {
  if (request.operatorName === null) throw new Error('this route runs without the operator check')
  return `operator:${request.operatorName}`
}

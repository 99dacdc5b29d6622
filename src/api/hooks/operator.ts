/**
 * Guards /admin: an operator's token as bearer, and a role that allows the route; the operator's name goes into the
 * audit log with each act.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type OperatorDoor, requireRole } from '../../access/operators.ts'

export function addOperatorCheck(app: FastifyInstance, door: OperatorDoor): void {
  app.addHook('onRequest', async (request) => {
    const operator = await door(bearerIn(request), request.ip)
    requireRole(operator, request.routeOptions.config.role ?? (isRead(request) ? 'viewer' : 'operator'))
    request.operatorName = operator.name
  })
}

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'
const bearerIn = (request: FastifyRequest) => /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]

/** Who acts, as the audit log names them: `operator:<name>`. */
export function operatorOf(request: { readonly operatorName: string | null }): `operator:${string}` {
  if (request.operatorName === null) throw new Error('this route runs without the operator check')
  return `operator:${request.operatorName}`
}

/** Bodies are JSON and nothing else. */
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../errors.ts'
import type { BodyAllowance } from '../body-allowance.ts'
import { depthMax, isTooDeep } from './json-depth.ts'
import { jsonRefusal } from './json-fault.ts'

/** An empty body is no body: endpoints whose fields are all optional can be called without one. */
export function readJsonOnly(app: FastifyInstance, bodies: Pick<BodyAllowance, 'charge'>): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    bodies.charge(request, text.length)
    if (text === '') done(null, undefined)
    else if (isTooDeep(text)) done(tooDeep())
    else void parse(request, text, (error, value) => done(error && jsonRefusal(text, error), value))
  })
}

const tooDeep = (): AppError =>
  new AppError('BAD_REQUEST', `The body nests lists and objects more than ${depthMax} deep.`)

/** Bodies are JSON and nothing else. */
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../errors.ts'
import type { BodyAllowance } from '../body-allowance.ts'
import { depthMax, entriesMax, jsonExcess } from './json-depth.ts'
import { jsonRefusal } from './json-fault.ts'

/** An empty body is no body: endpoints whose fields are all optional can be called without one. */
export function readJsonOnly(app: FastifyInstance, bodies: Pick<BodyAllowance, 'charge'>): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    const from = performance.now()
    const excess = jsonExcess(text)
    const finish = (error: Error | null, value?: unknown) => {
      bodies.charge(request, text.length, performance.now() - from)
      done(error, value)
    }
    if (text === '') finish(null)
    else if (excess) finish(refusals[excess]())
    else void parse(request, text, (error, value) => finish(error && jsonRefusal(text, error), value))
  })
}

const refusals = {
  depth: () => new AppError('BAD_REQUEST', `The body nests lists and objects more than ${depthMax} deep.`),
  entries: () =>
    new AppError('BAD_REQUEST', `The body has more than ${entriesMax} members and entries; send less at a time.`),
}

/**
 * Rejects unknown parameters and bodies and suggests the intended name: if ignored, they would change the meaning of
 * the call. Bodies with a schema are checked by it; this checks the query of every route and bodies of routes that have
 * none.
 *
 * Routes with `config.otherNames` accept their parameters in any casing, and the aliases that it lists.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { quoted } from '../../domain/visible.ts'
import { AppError } from '../../errors.ts'
import { nameFault, namesOf } from '../request/known-names.ts'
import { nodeAt, schemaNode } from '../request/member-rule.ts'
import { faultsError, listedMax } from '../request/request-faults.ts'

type Query = Readonly<Record<string, unknown>>

export function refuseUnknownParameters(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    refuseUnknown(request)
    done()
  })
}

function refuseUnknown(request: FastifyRequest): void {
  const { schema, config } = request.routeOptions
  const names = namesIn(schema?.querystring)
  const known = config.otherNames ? new Map([...names, ...Object.entries(config.otherNames)]) : names
  if (config.otherNames) request.query = inOwnNames(request.query as Query, known)
  const unknown = Object.keys(request.query as Query).filter((name) => !names.has(name))
  if (unknown.length > 0) {
    const elsewhere = namesIn(schema?.body)
    const listed = unknown.slice(0, listedMax)
    const faults = listed.map((name) => nameFault({ written: name, name, kind: 'parameter', known, elsewhere }))
    throw faultsError(faults, 'query', 'BAD_REQUEST', unknown.length - listed.length)
  }
  if (schema?.body === undefined) refuseBody(request, known)
}

/** A DELETE may carry a meaningless body; any other body is meant to be read. */
function refuseBody({ body, method }: FastifyRequest, elsewhere: ReadonlyMap<string, string>): void {
  if (method === 'DELETE' || typeof body !== 'object' || body === null) return
  const names = Object.keys(body)
  const listed = names.slice(0, listedMax)
  const faults = listed.map((name) => nameFault({ written: name, name, kind: 'member', known: new Map(), elsewhere }))
  if (faults.length > 0) throw faultsError(faults, 'body', 'BAD_REQUEST', names.length - listed.length)
}

const namesOfSchemas = new WeakMap<z.ZodType, ReadonlyMap<string, string>>()
const none = namesOf([])

function namesIn(schema: unknown): ReadonlyMap<string, string> {
  if (!(schema instanceof z.ZodType)) return none
  const known = namesOfSchemas.get(schema)
  if (known) return known
  const names = namesOf(Object.keys(nodeAt(schemaNode(schema), []).properties ?? {}))
  namesOfSchemas.set(schema, names)
  return names
}

const folded = (name: string): string => name.toLowerCase().replace(/[_-]/g, '')

/** @throws AppError BAD_REQUEST where one parameter came under two names with different values. */
function inOwnNames(query: Query, known: ReadonlyMap<string, string>): Query {
  const byFolded = new Map([...known].map(([spelling, name]) => [folded(spelling), name]))
  const own = new Map<string, { readonly written: string; readonly value: unknown }>()
  for (const [written, value] of Object.entries(query)) {
    const name = known.get(written) ?? byFolded.get(folded(written)) ?? written
    const before = own.get(name)
    if (before && JSON.stringify(before.value) !== JSON.stringify(value)) {
      const [one, other] = [before.written, written].map((each) => quoted(each, 60))
      throw new AppError('BAD_REQUEST', `${one} and ${other} are the same parameter but have different values.`, {
        extra: { parameter: name },
      })
    }
    if (!before) own.set(name, { written, value })
  }
  return Object.fromEntries([...own].map(([name, { value }]) => [name, value]))
}

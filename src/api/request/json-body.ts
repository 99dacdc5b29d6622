/** Bodies must be JSON, and no larger than what their operation accepts. */
import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { z } from 'zod'
import { threadMs } from '../../domain/thread-time.ts'
import { quoted } from '../../domain/visible.ts'
import { AppError } from '../../errors.ts'
import type { BodyAllowance } from '../body-allowance.ts'
import { type BodySize, bodySizeOf } from './body-size.ts'
import { jsonRefusal } from './json-fault.ts'
import { repeatedName } from './json-names.ts'
import { depthMax, jsonShape } from './json-shape.ts'

/**
 * What any operation reads, so that faults in a small body can be reported; nothing more is read from an anonymous
 * client.
 */
const small: BodySize = { bytes: 16_384, entries: 1_000 }
const largest: BodySize = { bytes: 1_048_576, entries: 20_000 }

function boundsOf({ schema, config }: Pick<RouteOptions, 'schema' | 'config'>): BodySize {
  if (config?.public === true || !(schema?.body instanceof z.ZodType)) return small
  const { bytes, entries } = bodySizeOf(schema.body)
  return {
    bytes: Math.min(largest.bytes, small.bytes + bytes),
    entries: Math.min(largest.entries, small.entries + entries),
  }
}

/** An empty body is no body: endpoints with only optional fields can be called without one. */
export function readJsonOnly(app: FastifyInstance, bodies: Pick<BodyAllowance, 'charge'>): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= boundsOf(route).bytes
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    const text = bytes.toString('utf8')
    const from = threadMs()
    const { entries } = boundsOf(request.routeOptions)
    const { excess, names } = jsonShape(text, entries)
    const finish = (error: Error | null, value?: unknown) => {
      bodies.charge(request, text.length, threadMs() - from)
      done(error, value)
    }
    if (text === '') finish(null)
    // Invalid UTF-8 would be stored as a replacement character that no one typed.
    else if (!isUtf8(bytes)) finish(notUtf8())
    else if (excess === 'depth') finish(tooDeep())
    else if (excess === 'entries') finish(tooMany(entries))
    else {
      void parse(request, text, (error, value) => {
        finish(error ? jsonRefusal(text, error) : refusalOf(text, value, names), value)
      })
    }
  })
}

function refusalOf(text: string, value: unknown, names: number): AppError | null {
  // An optional body may be missing, but null is an error: a program that failed to build a body would ask for nothing.
  if (value === null) return nullBody()
  if (surrogateEscape.test(text) && isTorn(value)) return torn()
  const name = repeatedName(text, value, names)
  return name === undefined ? null : namedTwice(name)
}

/**
 * UTF-8 cannot encode lone surrogates; only an escape produces one, which neither PostgreSQL nor another UTF-8 reader
 * accepts.
 */
const surrogateEscape = /\\u[dD][89a-fA-F]/

function isTorn(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed()
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, member]) => !name.isWellFormed() || isTorn(member))
}

const nullBody = () =>
  new AppError('BAD_REQUEST', 'The body is null; it must be an object. Send one, or no body at all.')
const torn = () =>
  new AppError('BAD_REQUEST', 'A text of the body contains a lone surrogate. Send the whole character.')
const namedTwice = (name: string) =>
  new AppError('BAD_REQUEST', `The body has "${quoted(name)}" twice in one object. Send each member once.`)
const notUtf8 = () => new AppError('BAD_REQUEST', 'The body is not valid UTF-8. Send JSON in that encoding.')
const tooDeep = () => new AppError('BAD_REQUEST', `The body nests lists and objects more than ${depthMax} deep.`)
const tooMany = (most: number) =>
  new AppError('BAD_REQUEST', `The body has more than ${most} members and entries; send less at a time.`)

/**
 * The one translator from thrown errors to HTTP replies. Every reply has `detail` (a sentence), `error_code`,
 * `request_id` and `doc_url`, and the members of an AppError's `extra`. Internal errors reveal nothing about their
 * cause.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { databaseFault } from '../db/database-fault.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import { relativeUri } from './formats.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Error code of the reply, for the metrics; null for a success. */
    errorCode: ErrorCode | null
  }
}

/** In the OpenAPI document of every route. */
export const ErrorBody = z.looseObject({
  detail: z.string().describe('What is wrong, in a sentence.'),
  error_code: z.string().describe('Stable code; docs/errors.md has its meaning and remedy.'),
  request_id: z.string().describe('Also in the X-Request-Id header.'),
  doc_url: relativeUri('Page of this server with the meaning and the remedy of the code.'),
})

/** Anchor of a code on the page of error-page.ts. */
export const docUrlOf = (code: ErrorCode): string => `/docs/errors#${code}`

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.serializer(JSON.stringify).send(errorAnswer(error, request, reply))
}

/**
 * Replaces a response with an error in hooks that run as it is sent: an error there would otherwise reach the caller in
 * the framework's own format. @returns the body.
 */
export const errorInstead = (error: unknown, request: FastifyRequest, reply: FastifyReply): string =>
  JSON.stringify(errorAnswer(error, request, reply))

/** Sets status and headers. @returns the body. */
function errorAnswer(error: unknown, request: FastifyRequest, reply: FastifyReply): z.infer<typeof ErrorBody> {
  const translated = asAppError(error)
  logFault(error, translated, request)
  if (translated.retryAfterSeconds !== undefined) reply.header('Retry-After', String(translated.retryAfterSeconds))
  // HTTP requires it on every 401, whatever was missing; browsers do not prompt for a bearer token.
  if (translated.httpStatus === 401) reply.header('WWW-Authenticate', 'Bearer realm="panji"')
  const code = translated.httpStatus === 500 ? 'INTERNAL' : translated.code
  reply.errorCode = code
  reply.code(translated.httpStatus).type('application/json; charset=utf-8')
  return {
    ...translated.extra,
    detail: translated.httpStatus === 500 ? 'Something went wrong on our side.' : translated.message,
    error_code: code,
    request_id: request.id,
    doc_url: docUrlOf(code),
  }
}

const unconfigured = 501
/** Keyed by the config of a route, which lives as long as its server. */
const documentedRoutes = new WeakSet<object>()

/** An unconfigured feature is logged once per route: every further call would say the same. */
function logFault(error: unknown, translated: AppError, { log, id, routeOptions }: FastifyRequest): void {
  if (translated.httpStatus === unconfigured) {
    if (documentedRoutes.has(routeOptions.config)) return
    documentedRoutes.add(routeOptions.config)
    log.warn({ code: translated.code, route: routeOptions.url, requestId: id }, translated.message)
  } else if (translated.httpStatus >= 500) {
    log.error({ err: error, requestId: id }, 'request failed')
  }
}

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (!(error instanceof Error)) return new AppError('INTERNAL', 'a value that is no Error was thrown')
  return (
    frameworkError(error) ??
    databaseFault(error) ??
    unstorableText(error) ??
    new AppError('INTERNAL', error.message, { cause: error })
  )
}

const frameworkCodes: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'Only application/json is accepted. Set Content-Type.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['PAYLOAD_TOO_LARGE', 'The body is too large.'],
  // Fastify's own message would repeat the whole path.
  FST_ERR_MAX_PARAM_LENGTH: ['NOT_FOUND', 'The ID in the path is too long.'],
  FST_ERR_BAD_URL: ['BAD_REQUEST', 'The path is not a valid URL path.'],
}

/** Fastify's own errors have a status; everything below 500 is the caller's to fix. */
function frameworkError(error: Error & { code?: string; statusCode?: number }): AppError | undefined {
  const known = frameworkCodes[error.code ?? '']
  if (known) return new AppError(known[0], known[1], { cause: error })
  if (error.statusCode === undefined || error.statusCode < 400 || error.statusCode >= 500) return undefined
  return new AppError('BAD_REQUEST', error.message, { cause: error })
}

function unstorableText(error: Error & { code?: string }): AppError | undefined {
  if (error.code !== '22021') return undefined
  return new AppError('BAD_REQUEST', 'A text contains a NUL character.', { cause: error })
}

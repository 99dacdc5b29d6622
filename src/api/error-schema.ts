/** The shape of every error body, for the OpenAPI document; further members depend on the code. */
import { z } from 'zod'

const ErrorBody = z
  .looseObject({
    detail: z.string().describe('What is wrong, in a sentence.'),
    error_code: z.string().optional().describe('Stable code; see the list of errors.'),
    request_id: z.string().optional().describe('Quote it when you report a fault.'),
  })
  .describe('Error')

type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 422 | 429

/** Response schemas of the errors that a route may answer with, beside those that every route shares. */
export function errorReplies<S extends ErrorStatus>(...statuses: readonly S[]): Record<S, typeof ErrorBody> {
  return Object.fromEntries(statuses.map((status) => [status, ErrorBody])) as Record<S, typeof ErrorBody>
}

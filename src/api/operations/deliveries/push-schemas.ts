import type { ErrorCode } from '../../../errors.ts'

export const talkErrors: readonly ErrorCode[] = [
  'DESTINATION_INVALID',
  'LEADS_NOT_READY',
  'CRM_UNAUTHORIZED',
  'CRM_UNAVAILABLE',
  'TOO_MANY_CONCURRENT',
  'CONFLICT',
]

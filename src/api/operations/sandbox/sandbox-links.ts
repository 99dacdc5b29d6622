/** Links to the pages of the sandbox CRMs: each works in one browser, once and within a minute. */

import { z } from 'zod'
import { AppError } from '../../../errors.ts'
import type { ApiSettings, SandboxPages } from '../../route-context.ts'

export const SandboxLink = z
  .object({ url: z.string().describe('Works on this machine only, once, within a minute').meta({ format: 'uri' }) })
  .meta({ id: 'SandboxLink' })

/** @throws AppError BAD_REQUEST where no sandboxes run. */
export function sandboxPagesOf({ sandboxPages }: ApiSettings): SandboxPages {
  if (sandboxPages) return sandboxPages
  throw new AppError('BAD_REQUEST', 'No sandbox CRMs run alongside this Panji.')
}

/** @throws AppError BAD_REQUEST where the URL is not that of a record in a sandbox. */
export function ownRecordUrl(pages: SandboxPages, address: string | null, all: boolean): string {
  const url = address === null ? undefined : pages.recordUrl(address, all)
  if (url !== undefined) return url
  throw new AppError('BAD_REQUEST', 'This record is not in a sandbox CRM that runs alongside this Panji.')
}

/** /admin/sandbox: the way into the pages of the sandbox CRMs, which run beside an instance with the sample world. */
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { Routes } from '../route-context.ts'
import { admin } from './admin.ts'

export const adminSandboxRoutes: Routes = async (app, { settings }) => {
  app.post(
    '/admin/sandbox/open',
    {
      schema: {
        operationId: 'openSandbox',
        ...admin,
        summary: 'A link into the pages of the sandbox CRMs',
        description:
          'It lets one browser in, once and within a minute: records as a CRM shows them, the calls that came in, faults to switch on.',
        body: z.strictObject({}).nullish(),
        response: { 200: z.object({ url: z.string().describe('On this machine alone').meta({ format: 'uri' }) }) },
      },
    },
    async () => {
      if (!settings.sandboxPages) throw new AppError('BAD_REQUEST', 'No sandbox CRMs run beside this Panji.')
      return { url: settings.sandboxPages() }
    },
  )
}

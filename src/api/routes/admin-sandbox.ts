/** /admin/sandbox: the way into the pages of the sandbox CRMs, which run beside an instance with the sample world. */
import { z } from 'zod'
import type { Routes } from '../route-context.ts'
import { admin } from './admin.ts'
import { ownRecordUrl, SandboxLink, sandboxPagesOf } from './sandbox-links.ts'

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
        body: z
          .strictObject({
            record: z.string().max(2_000).optional().describe('A `crm_url` of a delivery, to begin at its page'),
          })
          .nullish()
          .meta({ examples: [{ record: 'http://127.0.0.1:8081/pages/zoho/records/1' }] }),
        response: { 200: SandboxLink },
      },
    },
    async ({ body }) => {
      const pages = sandboxPagesOf(settings)
      if (body?.record === undefined) return { url: pages.pagesUrl() }
      return { url: ownRecordUrl(pages, body.record, true) }
    },
  )
}

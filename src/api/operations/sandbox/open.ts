import { z } from 'zod'
import { operation } from '../../operation.ts'
import { ownRecordUrl, SandboxLink, sandboxPagesOf } from './sandbox-links.ts'

export default operation({
  id: 'openSandbox',
  method: 'POST',
  path: '/admin/sandbox/open',
  summary: 'Create a link to the pages of the sandbox CRMs',
  description:
    'Works in one browser, once and within a minute: records as a CRM shows them, the calls received, faults to switch on.',
  caller: { role: 'operator' },
  audit: 'act',
  body: z
    .strictObject({
      record: z.string().max(2_000).optional().describe('A `crm_url` of a delivery, to open its page first'),
    })
    .nullish()
    .meta({ examples: [{ record: 'http://127.0.0.1:8081/pages/zoho/records/1' }] }),
  reply: { 200: SandboxLink },
  example: {
    url: 'http://127.0.0.1:8081/pages/zoho/records/1?pass=all',
  },
  handle: async ({ settings }, { body }) => {
    const pages = sandboxPagesOf(settings)
    if (body?.record === undefined) return { url: pages.pagesUrl() }
    return { url: ownRecordUrl(pages, body.record, true) }
  },
})

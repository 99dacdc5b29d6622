/** Leads for a bench, each with a number of its own. */
import type { OutgoingLead } from '../../connectors/contract.ts'
import { gstLead } from '../../test/conformance/sample-leads.ts'

export function benchLeads({ from, count }: { readonly from: number; readonly count: number }): OutgoingLead[] {
  return Array.from({ length: count }, (_, n) => {
    const gstin = gstinOf(from + n)
    return { ...gstLead(from + n, { GSTIN: gstin }), externalId: `gst:${gstin}` }
  })
}

const gstinOf = (n: number) =>
  `30AAAC${String.fromCharCode(65 + Math.floor(n / 10_000))}${String(n % 10_000).padStart(4, '0')}K1Z5`

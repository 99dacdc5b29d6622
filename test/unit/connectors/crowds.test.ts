/** A value that thousands of records of a CRM hold: what a lead agrees in with them. */
import { expect, test } from 'vitest'
import { adoptionBy, type Candidate } from '../../../connectors/adoption.ts'
import { gstLead } from '../../conformance/sample-leads.ts'

test('a lead in a crowd agrees in the value that the crowd shares, and is not said to agree in the rest of the rule', async () => {
  const lead = gstLead(1, { Company: 'Branch', City: 'Margao' })
  const candidate = (crmId: string, City: string): Candidate => ({
    ...{ crmId, values: { name: 'Branch', city: City }, identity: null },
  })
  const records = [candidate('1', 'Panaji'), candidate('2', 'Mapusa')]
  const matches = await adoptionBy({
    by: { named: [{ name: 'Company', city: 'City' }], usual: [] },
    candidates: async () => ({ records, shared: new Map([['name', ['Branch']]]) }),
    changesIn: async () => () => [],
    read: async () => new Map(),
    holders: async () => new Map(),
    write: async () => new Map(),
  })?.match([lead])
  expect(matches?.get(lead.externalId)).toEqual({
    ...{ is: 'unclear', columns: ['Company'], reason: '2 or more records agree in name: 1, 2' },
  })
})

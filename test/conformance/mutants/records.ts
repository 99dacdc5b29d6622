/** Connectors that lose, double or misreport records. */
import { AppError } from '../../../src/errors.ts'
import {
  claimed,
  claimedUnless,
  eachCell,
  heldNow,
  leadsAs,
  type Mutation,
  oneByOne,
  outcomes,
  rejected,
  session,
} from './wrappers.ts'

let others = 0
/** Whatever a connector's batch is. */
const firstHalf = <T>(all: readonly T[]): readonly T[] => all.slice(0, Math.ceil(all.length / 2))

export const recordMutations: readonly Mutation[] = [
  {
    fault: 'names records by its own ids',
    breaks: 'a lead of each kind is created, one record each, under the id that the outcome names',
    mutate: outcomes((each, lead) => ('crmId' in each ? { ...each, crmId: lead.externalId } : each)),
  },
  {
    fault: 'leaves directors out and says that it wrote them',
    breaks: 'a lead of each kind is created, one record each, under the id that the outcome names',
    mutate: session((real) => ({
      async push(leads) {
        const told = await real.push(leads.filter(({ type }) => type !== 'director'))
        return leads.map((lead) => (lead.type === 'director' ? claimed(lead) : (told[0] ?? claimed(lead))))
      },
    })),
  },
  {
    fault: 'deletes a record and makes it anew',
    breaks: 'pushing twice leaves one record, says unchanged and writes nothing, with the ledger and without it',
    mutate: session((real) => ({
      async push(leads) {
        await real.erase(leads.map(({ externalId }) => externalId))
        return real.push(leads)
      },
    })),
  },
  {
    fault: 'says updated of what it left unchanged',
    breaks: 'pushing twice leaves one record, says unchanged and writes nothing, with the ledger and without it',
    mutate: outcomes((each) => (each.status === 'unchanged' ? { ...each, status: 'updated' } : each)),
  },
  {
    fault: 'makes a second record where the ledger does not know the first',
    breaks: 'pushing twice leaves one record, says unchanged and writes nothing, with the ledger and without it',
    mutate: session((real) => ({
      push: (leads) =>
        real.push(
          leads.map((lead) => (lead.lastPushed ? lead : { ...lead, externalId: `${lead.externalId}${others++}` })),
        ),
    })),
  },
  {
    fault: 'reads each lead before it creates it',
    breaks: 'a first delivery reads few of its leads: at most one call for five that write',
    mutate: session((real) => ({
      async push(leads) {
        await real.lookup(leads.map(({ externalId }) => externalId))
        return real.push(leads)
      },
    })),
  },
  {
    fault: 'writes unread over a record that the ledger does not know',
    breaks:
      'a lead that is there although the ledger knows nothing of it is met, not made again, and a rep’s edit in it survives',
    mutate: leadsAs(async (lead, real) => ({ ...lead, lastPushed: await heldNow(real, lead) })),
  },
  {
    fault: 'never writes a second time',
    breaks: 'a changed lead updates its record',
    mutate: session((real) => ({
      async push(leads) {
        const found = await real.lookup(leads.map(({ externalId }) => externalId))
        const told = await real.push(leads.filter(({ externalId }) => !found.has(externalId)))
        return leads.map(({ externalId }) => {
          const record = found.get(externalId)
          return record ? { status: 'unchanged', ...record } : (told[0] ?? rejected)
        })
      },
    })),
  },
  {
    fault: 'turns its outcomes round',
    breaks: 'outcomes match leads one to one, in order, and bad leads do not sink a full batch',
    mutate: session((real) => ({ push: async (leads) => [...(await real.push(leads))].reverse() })),
  },
  {
    fault: 'keeps silent about refused leads',
    breaks: 'outcomes match leads one to one, in order, and bad leads do not sink a full batch',
    mutate: session((real) => ({
      push: async (leads) => (await real.push(leads)).filter(({ status }) => status !== 'rejected'),
    })),
  },
  {
    fault: 'refuses a batch for one bad lead',
    breaks: 'outcomes match leads one to one, in order, and bad leads do not sink a full batch',
    mutate: session((real) => ({
      async push(leads) {
        const actions = await real.plan(leads)
        return actions.some(({ action }) => action === 'reject') ? leads.map(() => rejected) : real.push(leads)
      },
    })),
  },
  {
    fault: 'calls a batch written once one lead of it was',
    breaks: 'outcomes match leads one to one, in order, and bad leads do not sink a full batch',
    mutate: outcomes((each, lead, all) => (all.some((other) => 'crmId' in other) ? claimedUnless(each, lead) : each)),
  },
  {
    fault: 'gives no reason for a refusal',
    breaks: 'outcomes match leads one to one, in order, and bad leads do not sink a full batch',
    mutate: outcomes((each) => (each.status === 'rejected' ? { ...each, message: '' } : each)),
  },
  {
    fault: 'sends the first half of a batch and takes the rest for sent',
    breaks: 'outcomes match leads one to one, in order, and bad leads do not sink a full batch',
    mutate: session((real) => ({
      async push(leads) {
        const told = await real.push(firstHalf(leads))
        return leads.map((lead, n) => told[n] ?? claimed(lead))
      },
    })),
  },
  {
    fault: 'writes lead by lead',
    breaks: 'a full batch is one write call',
    mutate: session((real) => ({ push: (leads) => oneByOne(real, leads) })),
  },
  {
    fault: 'gives one outcome for a lead that stands twice',
    breaks: 'a lead that stands twice in one push becomes one record and gets two outcomes',
    mutate: session((real) => ({
      push: (leads) => real.push([...new Map(leads.map((lead) => [lead.externalId, lead])).values()]),
    })),
  },
  {
    fault: 'refuses a lead that stands twice',
    breaks: 'a lead that stands twice in one push becomes one record and gets two outcomes',
    mutate: session((real) => ({
      async push(leads) {
        const told = await real.push(leads)
        const first = new Set<string>()
        return told.map((each, n) => (first.size === first.add(String(leads[n]?.externalId)).size ? rejected : each))
      },
    })),
  },
  {
    fault: 'doubles apostrophes',
    breaks: 'apostrophes, quotes, backslashes and Unicode arrive unchanged',
    mutate: leadsAs((lead) => ({ ...lead, row: eachCell(lead, (text) => text.replaceAll("'", "''")) })),
  },
  {
    fault: 'loses what is not Latin',
    breaks: 'apostrophes, quotes, backslashes and Unicode arrive unchanged',
    mutate: leadsAs((lead) => ({ ...lead, row: eachCell(lead, (text) => text.replace(/[^\x20-\x7e]/g, '?')) })),
  },
  {
    fault: 'remembers nothing of what it wrote',
    breaks: 'the values of an outcome are what the CRM now holds, so that the ledger knows an edit when it sees one',
    mutate: outcomes((each) => ('crmId' in each ? { ...each, values: {} } : each)),
  },
  {
    fault: 'remembers the lead in place of the record',
    breaks: 'the values of an outcome are what the CRM now holds, so that the ledger knows an edit when it sees one',
    mutate: outcomes((each, lead) => ('crmId' in each ? { ...each, values: lead.row } : each)),
  },
  {
    fault: 'looks half of the records up and calls the rest missing',
    breaks: 'a lookup of a full batch finds each record that is there and leaves out what is not',
    mutate: session((real) => ({ lookup: (ids) => real.lookup(firstHalf(ids)) })),
  },
  {
    fault: 'finds what is not there',
    breaks: 'a lookup of a full batch finds each record that is there and leaves out what is not',
    mutate: session((real) => ({
      async lookup(ids) {
        const found = await real.lookup(ids)
        return new Map(ids.map((id) => [id, found.get(id) ?? { crmId: id, values: {} }]))
      },
    })),
  },
  {
    fault: 'says erased and keeps the records',
    breaks: 'erasing deletes the records that are asked for and no other, and counts those that were there',
    mutate: session((real) => ({ erase: async (ids) => (await real.lookup(ids)).size })),
  },
  {
    fault: 'counts what it was asked to erase',
    breaks: 'erasing deletes the records that are asked for and no other, and counts those that were there',
    mutate: session((real) => ({ erase: async (ids) => Math.max(ids.length, await real.erase(ids)) })),
  },
  {
    fault: 'erases all that it wrote',
    breaks: 'erasing deletes the records that are asked for and no other, and counts those that were there',
    mutate: session((real) => {
      const written = new Set<string>()
      return {
        push(leads) {
          for (const { externalId } of leads) written.add(externalId)
          return real.push(leads)
        },
        async erase(ids) {
          const { size } = await real.lookup(ids)
          await real.erase([...written])
          return size
        },
      }
    }),
  },
  {
    fault: 'fails where there is nothing to do',
    breaks: 'nothing to do is no fault and costs no write',
    mutate: session((real) => ({
      async push(leads) {
        if (leads.length === 0) throw new AppError('INTERNAL', 'no leads')
        return real.push(leads)
      },
    })),
  },
]

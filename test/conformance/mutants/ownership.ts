/** Connectors that write over other people’s values, and plans that are none. */
import type { FieldOverride, PlannedAction } from '../../../connectors/contract.ts'
import { companyLead } from '../sample-leads.ts'
import { heldNow, isEdited, leadsAs, type Mutation, session, settingsAs } from './wrappers.ts'

export const ownershipMutations: readonly Mutation[] = [
  {
    fault: 'writes over what a rep edited',
    breaks: 'a value that somebody in the CRM changed stays, also at later pushes, and the rest of the lead is written',
    mutate: leadsAs(async (lead, real) => ({ ...lead, lastPushed: await heldNow(real, lead) })),
  },
  {
    fault: 'remembers a rep’s edit as its own and overwrites it the next time',
    breaks: 'a value that somebody in the CRM changed stays, also at later pushes, and the rest of the lead is written',
    mutate: session((real) => ({
      async push(leads) {
        const told = await real.push(leads)
        const found = await real.lookup(leads.map(({ externalId }) => externalId))
        return told.map((each, n) => {
          const held = found.get(String(leads[n]?.externalId))
          return 'crmId' in each && held ? { ...each, values: held.values } : each
        })
      },
    })),
  },
  {
    fault: 'leaves a record alone for good once somebody edited one field',
    breaks: 'a value that somebody in the CRM changed stays, also at later pushes, and the rest of the lead is written',
    mutate: session((real) => ({
      async push(leads) {
        const found = await real.lookup(leads.map(({ externalId }) => externalId))
        const told = await real.push(leads.filter((lead) => !isEdited(lead, found.get(lead.externalId)?.values)))
        return leads.map((lead, n) => told[n] ?? { status: 'unchanged', crmId: String(lead.crmId), values: {} })
      },
    })),
  },
  {
    fault: 'takes what it sent without hearing of it for an edit',
    breaks: 'what was sent and never answered is nobody’s edit: a newer value takes its place, and an edit stays',
    mutate: leadsAs(({ unconfirmed: _, ...lead }) => lead),
  },
  {
    fault: 'writes over edits wherever something is unconfirmed',
    breaks: 'what was sent and never answered is nobody’s edit: a newer value takes its place, and an edit stays',
    mutate: leadsAs(async (lead, real) =>
      lead.unconfirmed === undefined ? lead : { ...lead, lastPushed: await heldNow(real, lead) },
    ),
  },
  {
    fault: 'fills again what a rep cleared',
    breaks: 'a value that somebody in the CRM cleared stays empty',
    mutate: leadsAs((lead) => ({ ...lead, lastPushed: null })),
  },
  {
    fault: 'writes NULL where the register knows nothing',
    breaks: 'what the register does not know leaves alone what the CRM knows',
    mutate: leadsAs(async (lead, real) => ({
      ...lead,
      row: Object.fromEntries(Object.entries(lead.row).map(([name, value]) => [name, value ?? 'NULL'])),
      lastPushed: await heldNow(real, lead),
    })),
  },
  {
    fault: 'keeps what the register no longer knows',
    breaks: 'what the register no longer knows is taken out, as planned, except where somebody wrote since',
    mutate: leadsAs((lead) => ({
      ...lead,
      row: { ...lead.row, Phone: lead.row['Phone'] ?? companyLead(1).row['Phone'] ?? null },
    })),
  },
  {
    fault: 'plans by pushing',
    breaks: 'a plan writes nothing and says what a push would do, field by field',
    mutate: session((real) => ({
      async plan(leads) {
        const actions = await real.plan(leads)
        await real.push(leads)
        return actions
      },
    })),
  },
  {
    fault: 'plans to create whatever is there',
    breaks: 'a plan writes nothing and says what a push would do, field by field',
    mutate: session(() => ({ plan: async (leads) => leads.map((): PlannedAction => ({ action: 'create' })) })),
  },
  {
    fault: 'does not foresee refusals',
    breaks: 'a plan writes nothing and says what a push would do, field by field',
    mutate: session((real) => ({
      plan: async (leads) =>
        (await real.plan(leads)).map((each) => (each.action === 'reject' ? { action: 'create' } : each)),
    })),
  },
  {
    fault: 'plans updates without their fields',
    breaks: 'a plan writes nothing and says what a push would do, field by field',
    mutate: session((real) => ({
      plan: async (leads) =>
        (await real.plan(leads)).map((each) => (each.action === 'update' ? { ...each, changes: [] } : each)),
    })),
  },
  {
    fault: 'plans nothing where an edit stands in the way',
    breaks: 'a plan names the newer value that somebody’s edit keeps out as a conflict',
    mutate: session((real) => ({
      plan: async (leads) =>
        (await real.plan(leads)).map((each) => (each.action === 'conflict' ? { action: 'unchanged' } : each)),
    })),
  },
  {
    fault: 'sets the CRM up in order to plan',
    breaks: 'a plan before set-up is possible and changes nothing',
    mutate: session((real) => ({
      async plan(leads) {
        await real.setup()
        return real.plan(leads)
      },
    })),
  },
  {
    fault: 'passes a customer’s mapping over',
    breaks: 'what a customer’s mapping says of a field is planned, written, and left unchanged from then on',
    mutate: withOverrides(() => []),
  },
  {
    fault: 'writes a mapping’s fields at every push',
    breaks: 'what a customer’s mapping says of a field is planned, written, and left unchanged from then on',
    mutate: session((real) => {
      let pushes = 0
      return {
        push: (leads) =>
          real.push(leads.map((lead) => ({ ...lead, overrides: (lead.overrides ?? []).map(counted(pushes++)) }))),
      }
    }),
  },
  {
    fault: 'does not heed whose a field is by the settings',
    breaks:
      'whose a field is, the settings say: one is written over every edit, one is filled once and then left unchanged',
    mutate: settingsAs((input, real) => real.readSettings({ ...(input as object), ownership: {} })),
  },
  {
    fault: 'writes over whatever the settings name',
    breaks:
      'whose a field is, the settings say: one is written over every edit, one is filled once and then left unchanged',
    mutate: settingsAs((input, real) => {
      const { ownership = {} } = input as { readonly ownership?: Readonly<Record<string, string>> }
      const always = Object.fromEntries(Object.keys(ownership).map((name) => [name, 'always']))
      return real.readSettings({ ...(input as object), ownership: always })
    }),
  },
  {
    fault: 'clears what a mapping takes for itself',
    breaks: 'a field that a customer’s mapping takes for itself is not written, and whose it is, the mapping says',
    mutate: withOverrides((overrides) => overrides.filter(({ value }) => value !== null)),
  },
  {
    fault: 'does not heed whose a field is by the mapping',
    breaks: 'a field that a customer’s mapping takes for itself is not written, and whose it is, the mapping says',
    mutate: withOverrides((overrides) => overrides.map(({ ownership: _, ...rest }) => rest)),
  },
]

function withOverrides(change: (overrides: readonly FieldOverride[]) => readonly FieldOverride[]) {
  return leadsAs((lead) => ({ ...lead, overrides: change(lead.overrides ?? []) }))
}

const counted =
  (n: number) =>
  (override: FieldOverride): FieldOverride =>
    typeof override.value === 'string' && n > 0 ? { ...override, value: `${override.value} ${n}` } : override

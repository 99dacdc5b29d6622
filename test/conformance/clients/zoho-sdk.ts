/** What people call of Zoho's SDK for Node: the org, its fields, Leads one by one and in batches, and COQL. */

import type { Reply } from '@zohocrm/nodejs-sdk-8.0'
import {
  Coql,
  Fields,
  Layouts,
  Modules,
  Org,
  ParameterMap,
  Profiles,
  Record as Records,
  Roles,
  Tags,
  Users,
} from '@zohocrm/nodejs-sdk-8.0'
import { expect } from 'vitest'
import type { CallElsewhere, ClientCall } from './client-call.ts'

/** The SDK keeps its one client to itself. */
type Call = ClientCall<null>
type Elsewhere = CallElsewhere<null>

const some = (of: object) => expect.objectContaining(of)
const among = (...rows: readonly unknown[]) => expect.arrayContaining([...rows])
const id = expect.stringMatching(/^\d{16,}$/)
const success = some({ status: 'success', code: 'SUCCESS', details: some({ id }) })

let made = 0
const name = () => {
  made += 1
  return `Naik ${made}`
}
const leads = () => new Records.RecordOperations('Leads')

async function asking(...pairs: readonly (readonly [object | undefined, string | number])[]): Promise<ParameterMap> {
  const parameters = new ParameterMap()
  for (const [parameter, value] of pairs) await parameters.add(parameter ?? {}, value)
  return parameters
}

function bodyOf(rows: readonly Readonly<Record<string, string>>[], duplicateFields: readonly string[] = []): object {
  const body = new Records.BodyWrapper()
  body.setData(
    rows.map(({ id: own, ...values }) => {
      const record = new Records.Record()
      if (own !== undefined) record.setId(BigInt(own))
      for (const [field, value] of Object.entries(values)) record.addKeyValue(field, value)
      return record
    }),
  )
  if (duplicateFields.length > 0) body.setDuplicateCheckFields(duplicateFields)
  return body
}

/** Of the SDK's models what they hold, as plain data. */
function plain(model: unknown): unknown {
  if (model instanceof Map) return Object.fromEntries([...model].map(([key, value]) => [key, plain(value)]))
  if (Array.isArray(model)) return model.map(plain)
  if (typeof model === 'bigint') return String(model)
  if (typeof model !== 'object' || model === null) return model
  const { keyModified: _, ...members } = model as { readonly keyModified?: unknown }
  if ('value' in members && Object.keys(members).length === 1) return members.value
  return plain('keyValues' in members ? members.keyValues : new Map(Object.entries(members)))
}

const answerOf = (reply: Reply) => ({ status: reply.getStatusCode(), body: plain(reply.getObject()) })
const rowsOf = (reply: Reply): readonly { readonly details: { readonly id: string } }[] =>
  (answerOf(reply).body as { readonly data: [] }).data
const row = () => ({ Last_Name: name(), Company: 'Zuari Foods' })

async function leadId(): Promise<bigint> {
  const [first] = rowsOf(await leads().createRecords(bodyOf([row()])))
  return BigInt(String(first?.details.id))
}

const told: readonly Call[] = [
  {
    name: 'Org.getOrganization',
    run: async () => answerOf(await new Org.OrgOperations().getOrganization()),
    gives: { status: 200, body: some({ org: [some({ zgid: '60001234567' })] }) },
  },
  {
    name: 'Users.getUsers',
    run: async () => answerOf(await new Users.UsersOperations().getUsers()),
    gives: { status: 200, body: some({ users: among(some({ full_name: 'Asha Sandbox' })) }) },
  },
  {
    name: 'Fields.getFields',
    run: async () =>
      answerOf(await new Fields.FieldsOperations().getFields(await asking([Fields.GetFieldsParam['MODULE'], 'Leads']))),
    gives: { status: 200, body: some({ fields: among(some({ apiName: 'Last_Name', length: 80 })) }) },
  },
  {
    name: 'Coql.getRecords',
    run: async () => {
      const Last_Name = name()
      await leads().createRecords(bodyOf([{ Last_Name, Company: 'Zuari Foods' }]))
      const body = new Coql.BodyWrapper()
      body.setSelectQuery(`select Last_Name from Leads where Last_Name in ('${Last_Name}') limit 5`)
      return answerOf(await new Coql.CoqlOperations().getRecords(body))
    },
    gives: { status: 200, body: some({ data: [some({ id })] }) },
  },
]

const tags: readonly Call[] = [
  {
    name: 'Tags.getTags',
    run: async () =>
      answerOf(await new Tags.TagsOperations().getTags(await asking([Tags.GetTagsParam['MODULE'], 'Leads']))),
    gives: { status: 200, body: some({ tags: among(some({ name: 'Goa' })) }) },
  },
  {
    name: 'Tags.addTagsToMultipleRecords',
    run: async () => {
      const body = new Tags.NewTagRequestWrapper()
      const tag = new Tags.Tag()
      tag.setName('Goa')
      body.setTags([tag])
      body.setIds([await leadId()])
      return answerOf(await new Tags.TagsOperations().addTagsToMultipleRecords('Leads', body))
    },
    gives: { status: 200, body: some({ data: [some({ code: 'SUCCESS', status: 'success' })] }) },
  },
]

const records: readonly Call[] = [
  {
    name: 'Record.createRecords',
    run: async () => answerOf(await leads().createRecords(bodyOf([row(), row()]))),
    gives: { status: 201, body: some({ data: [success, success] }) },
  },
  {
    name: 'Record.createRecords of a row without its last name',
    run: async () => answerOf(await leads().createRecords(bodyOf([row(), { Company: 'Zuari Foods' }]))),
    gives: { status: 207, body: some({ data: [success, some({ code: 'MANDATORY_NOT_FOUND' })] }) },
  },
  {
    name: 'Record.getRecords',
    run: async () => {
      await leadId()
      const asked = [Records.GetRecordsParam['FIELDS'], 'Last_Name,Company'] as const
      return answerOf(await leads().getRecords(await asking(asked, [Records.GetRecordsParam['PER_PAGE'], 1])))
    },
    gives: { status: 200, body: some({ data: [some({ Company: 'Zuari Foods' })] }) },
  },
  {
    name: 'Record.getRecord',
    run: async () => answerOf(await leads().getRecord(await leadId())),
    gives: { status: 200, body: some({ data: [some({ id, Company: 'Zuari Foods' })] }) },
  },
  {
    name: 'Record.updateRecord',
    run: async () => answerOf(await leads().updateRecord(await leadId(), bodyOf([{ City: 'Ponda' }]))),
    gives: { status: 200, body: some({ data: [success] }) },
  },
  {
    name: 'Record.updateRecords',
    run: async () => answerOf(await leads().updateRecords(bodyOf([{ id: String(await leadId()), City: 'Ponda' }]))),
    gives: { status: 200, body: some({ data: [success] }) },
  },
  {
    name: 'Record.upsertRecords by e-mail',
    run: async () => {
      const Email = `person${++made}@mandovi.example.com`
      await leads().upsertRecords(bodyOf([{ ...row(), Email }], ['Email']))
      return answerOf(await leads().upsertRecords(bodyOf([{ ...row(), Email }], ['Email'])))
    },
    gives: { status: 200, body: some({ data: [some({ action: 'update', duplicateField: 'Email' })] }) },
  },
  {
    name: 'Record.deleteRecord',
    run: async () => answerOf(await leads().deleteRecord(await leadId())),
    gives: { status: 200, body: some({ data: [success] }) },
  },
  {
    name: 'Record.deleteRecords',
    run: async () => {
      const ids = [await leadId(), await leadId()].join(',')
      return answerOf(await leads().deleteRecords(await asking([Records.DeleteRecordsParam['IDS'], ids])))
    },
    gives: { status: 200, body: some({ data: [success, success] }) },
  },
]

export const zohoCalls: readonly Call[] = [...told, ...tags, ...records]

/** Of the parts of Zoho CRM that no connector calls. */
export const zohoElsewhere: readonly Elsewhere[] = [
  { name: 'Record.getDeletedRecords', run: async () => refused(await leads().getDeletedRecords()) },
  {
    name: 'Record.searchRecords',
    run: async () => refused(await leads().searchRecords(await asking([Records.SearchRecordsParam['WORD'], 'Naik']))),
  },
  { name: 'Record.recordCount', run: async () => refused(await leads().recordCount()) },
  { name: 'Record.cloneRecord', run: async () => refused(await leads().cloneRecord(await leadId())) },
  { name: 'Modules.getModules', run: async () => refused(await new Modules.ModulesOperations().getModules()) },
  {
    name: 'Layouts.getLayouts',
    run: async () =>
      refused(
        await new Layouts.LayoutsOperations().getLayouts(await asking([Layouts.GetLayoutsParam['MODULE'], 'Leads'])),
      ),
  },
  { name: 'Roles.getRoles', run: async () => refused(await new Roles.RolesOperations().getRoles()) },
  { name: 'Profiles.getProfiles', run: async () => refused(await new Profiles.ProfilesOperations().getProfiles()) },
  {
    name: 'Tags.getRecordCountForTag',
    run: async () =>
      refused(
        await new Tags.TagsOperations().getRecordCountForTag(
          4_150_868_000_000_781_001n,
          await asking([Tags.GetRecordCountForTagParam['MODULE'], 'Leads']),
        ),
      ),
  },
]

/** The SDK throws nothing that an answer says. */
function refused(reply: Reply): void {
  if (reply.getStatusCode() >= 400) throw new Error(JSON.stringify(answerOf(reply)))
}

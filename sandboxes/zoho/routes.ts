/** Routes calls by method and path: first the sign-in, then the API for callers with a token and the scope. */
import { formOf, parseJson, type WireAnswer, type WireCall } from '../kit.ts'
import { createFields, listFields } from './fields.ts'
import { grant } from './oauth.ts'
import { query } from './query.ts'
import { destroy, insert, update, upsert } from './records.ts'
import { failure, invalidToken, notInSandbox, scopeMismatch } from './replies.ts'
import { convertLead, listLeads, oneLead } from './single.ts'
import type { Org } from './state.ts'
import { addTags, listTags } from './tags.ts'
import { listUsers } from './users.ts'

const scopes: Readonly<Record<string, string>> = {
  'GET /Leads': 'ZohoCRM.modules.leads.READ',
  'GET /Leads/:id': 'ZohoCRM.modules.leads.READ',
  'PUT /Leads/:id': 'ZohoCRM.modules.leads.UPDATE',
  'DELETE /Leads/:id': 'ZohoCRM.modules.leads.DELETE',
  'POST /Leads/:id/actions/convert': 'ZohoCRM.modules.leads.UPDATE',
  'GET /users': 'ZohoCRM.users.READ',
  'POST /coql': 'ZohoCRM.coql.READ',
  'POST /Leads': 'ZohoCRM.modules.leads.CREATE',
  'POST /Leads/upsert': 'ZohoCRM.modules.leads.CREATE',
  'POST /Leads/actions/add_tags': 'ZohoCRM.modules.leads.CREATE',
  'GET /settings/tags': 'ZohoCRM.settings.tags.READ',
  'PUT /Leads': 'ZohoCRM.modules.leads.UPDATE',
  'DELETE /Leads': 'ZohoCRM.modules.leads.DELETE',
  'GET /org': 'ZohoCRM.org.READ',
  'GET /settings/fields': 'ZohoCRM.settings.fields.READ',
  'POST /settings/fields': 'ZohoCRM.settings.fields.CREATE',
}

export function route(org: Org, call: WireCall): WireAnswer {
  const url = new URL(`http://${call.headers.host}${call.path}`)
  if (url.pathname === '/oauth/v2/auth') return org.consent.answer(call, 'Zoho', org.credentials.clientId)
  if (`${call.method} ${url.pathname}` === 'POST /oauth/v2/token')
    return grant(org, formOf(call.text), `http://${call.headers.host}/zoho`)
  const [, path] = /^\/crm\/v8(\/.*)$/.exec(url.pathname) ?? []
  const [, id = '', deed = ''] = /^\/Leads\/(\d+)(\/actions\/convert)?$/.exec(path ?? '') ?? []
  const act = `${call.method} ${id === '' ? path : `/Leads/:id${deed}`}`
  const scope = scopes[act]
  if (!org.knowsToken((call.headers.authorization ?? '').replace(/^Zoho-oauthtoken /, ''))) return invalidToken
  if (scope === undefined) return notInSandbox(`${call.method} ${url.pathname}`)
  if (org.withheldScopes.includes(scope)) return scopeMismatch
  const body = call.text === '' ? null : parseJson(call.text)
  if (body === undefined) return failure(400, 'INVALID_DATA', 'body')
  const parameters = url.searchParams
  if ((!org.hasLeads || org.moduleName !== 'Leads') && act !== 'GET /org' && act !== 'GET /users') return noModule
  if (deed !== '') return convertLead(org, id)
  const one = id === '' ? undefined : oneLead(org, { method: call.method, id, parameters, body })
  return one ?? answer(org, act, parameters, body)
}

const noModule = failure(400, 'INVALID_MODULE', 'the module name given seems to be invalid')

function answer(org: Org, act: string, parameters: URLSearchParams, body: unknown): WireAnswer {
  switch (act) {
    case 'POST /coql':
      return query(org, String((body as { select_query?: unknown } | null)?.select_query ?? ''))
    case 'POST /Leads':
      return insert(org, body)
    case 'POST /Leads/upsert':
      return upsert(org, body)
    case 'PUT /Leads':
      return update(org, body)
    case 'DELETE /Leads':
      return destroy(org, (parameters.get('ids') ?? '').split(',').filter(Boolean))
    case 'GET /Leads':
      return listLeads(org, parameters)
    case 'POST /Leads/actions/add_tags':
      return addTags(org, body)
    case 'GET /settings/tags':
      return listTags(parameters)
    case 'GET /users':
      return listUsers(org, parameters)
    case 'GET /org':
      return {
        status: 200,
        body: { org: [{ id: org.organizationId, zgid: org.organizationId, company_name: 'Sandbox', type: 'Sandbox' }] },
      }
    default:
      if (parameters.get('module') !== 'Leads') return noModule
      return act.startsWith('GET') ? listFields(org) : createFields(org, body, org.customFieldsMax)
  }
}

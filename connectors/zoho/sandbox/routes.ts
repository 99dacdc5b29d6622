/** Method and path in, answer out: sign-in first, then the API's calls for whoever has a token and the scope. */
import { formOf, parseJson, type WireAnswer, type WireCall } from '../../sandbox-kit.ts'
import { createFields, listFields } from './fields.ts'
import { grant } from './oauth.ts'
import { query } from './query.ts'
import { destroy, insert, update, upsert } from './records.ts'
import { failure, invalidToken, scopeMismatch } from './replies.ts'
import { type Org, organizationId } from './state.ts'

const scopes: Readonly<Record<string, string>> = {
  'POST /coql': 'ZohoCRM.coql.READ',
  'POST /Leads': 'ZohoCRM.modules.leads.CREATE',
  'POST /Leads/upsert': 'ZohoCRM.modules.leads.CREATE',
  'PUT /Leads': 'ZohoCRM.modules.leads.UPDATE',
  'DELETE /Leads': 'ZohoCRM.modules.leads.DELETE',
  'GET /org': 'ZohoCRM.org.READ',
  'GET /settings/fields': 'ZohoCRM.settings.fields.READ',
  'POST /settings/fields': 'ZohoCRM.settings.fields.CREATE',
}

export function route(org: Org, call: WireCall, customFieldsMax: number): WireAnswer {
  const url = new URL(`http://${call.headers.host}${call.path}`)
  if (url.pathname === '/oauth/v2/auth') return org.consent.answer(call, 'Zoho', org.credentials.clientId)
  if (`${call.method} ${url.pathname}` === 'POST /oauth/v2/token')
    return grant(org, formOf(call.text), `http://${call.headers.host}/zoho`)
  const [, path] = /^\/crm\/v8(\/.*)$/.exec(url.pathname) ?? []
  const act = `${call.method} ${path}`
  const scope = scopes[act]
  if (!org.knowsToken((call.headers.authorization ?? '').replace(/^Zoho-oauthtoken /, ''))) return invalidToken
  if (scope === undefined)
    return failure(404, 'INVALID_URL_PATTERN', 'Please check if the URL trying to access is a correct one')
  if (org.withheldScopes.includes(scope)) return scopeMismatch
  const body = call.text === '' ? null : parseJson(call.text)
  if (body === undefined) return failure(400, 'INVALID_DATA', 'body')
  return answer(org, act, url.searchParams, body, customFieldsMax)
}

function answer(
  org: Org,
  act: string,
  parameters: URLSearchParams,
  body: unknown,
  customFieldsMax: number,
): WireAnswer {
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
    case 'GET /org':
      return {
        status: 200,
        body: { org: [{ id: organizationId, zgid: organizationId, company_name: 'Sandbox', type: 'Sandbox' }] },
      }
    default:
      if (parameters.get('module') !== 'Leads')
        return failure(400, 'INVALID_MODULE', 'the module name given seems to be invalid')
      return act.startsWith('GET') ? listFields(org) : createFields(org, body, customFieldsMax)
  }
}

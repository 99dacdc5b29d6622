/**
 * Records as a CRM shows them: a list by kind, a record with all its fields, and a form that changes a field like a
 * user would.
 */
import type { Sandbox, SandboxRecord } from '../contract.ts'
import { html, type Markup } from './markup.ts'
import { nameOf } from './shell.ts'

const shownMax = 500
const titles = /^(company|name|account_name)$/i
/** Columns of a list next to the title, by the vendors' field names. */
const columns: readonly (readonly [head: string, names: RegExp])[] = [
  ['Person', /^(lastname|last_name|firstname|panji_last_name)$/i],
  ['E-mail', /^(email|panji_email)$/i],
  ['Telephone', /^(phone|mobilephone|mobile|panji_mobile)$/i],
  ['City', /^(city|mailingcity)$/i],
  ['State', /^(state|mailingstate)$/i],
]

export function recordList(sandbox: Sandbox): Markup {
  const records = sandbox.records()
  if (records.length === 0) {
    const what = sandbox.takesPayments
      ? 'Nothing was sold yet.'
      : 'No lead has arrived yet. Deliver an order into this CRM.'
    return html`<p>${what}</p>`
  }
  const kinds = Object.entries(Object.groupBy(records, ({ object }) => object))
  return html`${kinds.map(([object, its = []]) => kindOf(sandbox.crm, object, its))}`
}

function kindOf(crm: string, object: string, records: readonly SandboxRecord[]): Markup {
  const shown = records.toReversed().slice(0, shownMax)
  return html`<h2>${labelOf(object)} <span class="faint">${records.length.toLocaleString('en-IN')}</span></h2>
<div class="frame" tabindex="0" role="region" aria-label="${labelOf(object)}"><table><thead><tr><th scope="col">Record</th>${columns.map(([head]) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${shown.map(
    (record) =>
      html`<tr><td><a href="/pages/${crm}/records/${encodeURIComponent(record.id)}">${titleOf(record)}</a></td>${columns.map(
        ([, names]) => html`<td>${valueIn(record, names) ?? '–'}</td>`,
      )}</tr>`,
  )}</tbody></table></div>
${records.length > shown.length ? html`<p class="faint">The newest ${shownMax} are shown.</p>` : ''}`
}

/** A read-only record. */
export function readRecord({ crm }: Sandbox, record: SandboxRecord): Markup {
  const fields = Object.entries(record.properties).filter(([, value]) => value !== null && value !== '')
  return html`<p class="faint">${nameOf(crm)} · ${labelOf(record.object)} · <code>${record.id}</code></p>
<dl>${fields.map(([name, value]) => html`<div><dt title="${name}">${labelOf(name)}</dt><dd>${String(value)}</dd></div>`)}</dl>`
}

/** A record with a form that changes a field. */
export function recordPage(sandbox: Sandbox, record: SandboxRecord): Markup {
  const editable = Object.keys(record.properties).filter((name) => name !== 'Id' && name !== 'hs_object_id')
  return html`${readRecord(sandbox, record)}
${
  sandbox.takesPayments
    ? ''
    : html`<h2>Change a field by hand</h2>
<p class="faint">As a sales user would. A later delivery keeps manual changes, if the mapping says so.</p>
<form method="post" action="/pages/${sandbox.crm}/records/${encodeURIComponent(record.id)}">
<div><label for="field">Field</label><select id="field" name="field">${editable.map((name) => html`<option value="${name}">${labelOf(name)}</option>`)}</select></div>
<div><label for="value">Value</label><input id="value" name="value" maxlength="2000"></div>
<button>Save</button></form>`
}`
}

export const titleOf = (record: SandboxRecord): string =>
  [titles, ...columns.map(([, names]) => names)].flatMap((names) => valueIn(record, names) ?? [])[0] ?? record.id

function valueIn({ properties }: SandboxRecord, names: RegExp): string | undefined {
  const found = Object.entries(properties).find(([name, value]) => names.test(name) && value !== null && value !== '')
  return found && String(found[1])
}

/** `Panji_Id__c` and `panji_id` become `Panji id`; `LastName` becomes `Last name`. */
function labelOf(name: string): string {
  const words = name
    .replace(/__c$/, '')
    .replace(/^panji_(?!id$)/, '')
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\b(cin|din|dins|gst|gstin|pan|nic|hsn|sac|roc|llp)\b/g, (short) => short.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

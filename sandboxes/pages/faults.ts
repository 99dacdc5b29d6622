/** Faults to switch on, described by their effect, and those that are still active. */
import { type Sandbox, SandboxFault } from '../contract.ts'
import { html, type Markup } from './markup.ts'

const crmFaults = [
  ['away', 'The CRM is away: every call fails with 503', { kind: 'status', status: 503 }],
  ['limited', 'It asks to slow down', { kind: 'rate_limit' }],
  ['exhausted', "The day's calls are used up", { kind: 'daily_limit' }],
  ['expired', 'The sign-in has expired', { kind: 'expire_token' }],
  ['silent', 'It does not answer', { kind: 'timeout' }],
  ['cut', 'The connection is cut', { kind: 'reset' }],
  ['written-silent', 'It writes, and does not answer', { kind: 'timeout_after_commit' }],
  ['written-cut', 'It writes, and the connection is cut', { kind: 'reset_after_commit' }],
  ['late', 'It answers late', { kind: 'delay', ms: 2_000 }],
  ['twice', 'A call reaches it twice', { kind: 'duplicate' }],
  ['forgetful', 'It leaves the last row out of its answer', { kind: 'omit_rows' }],
  ['forgets-first', 'It leaves the first row out of its answer', { kind: 'omit_first_row' }],
  ['shuffled', 'The rows of its answer are out of order', { kind: 'shuffle_rows' }],
] as const satisfies readonly (readonly [string, string, SandboxFault])[]
const processorFaults = [
  ['away', 'The processor is away: every call fails with 503', { kind: 'status', status: 503 }],
  ['limited', 'It asks to slow down', { kind: 'rate_limit' }],
  ['lost', 'Its notice is lost', { kind: 'webhook_lost' }],
  ['twice', 'Its notice comes twice', { kind: 'webhook_twice' }],
  ['late', 'Its notice comes late', { kind: 'webhook_late' }],
  ['reordered', 'Its notices come out of order', { kind: 'webhook_reordered' }],
  ['altered', 'Its notice was altered on the way', { kind: 'webhook_altered' }],
] as const satisfies readonly (readonly [string, string, SandboxFault])[]

const listOf = ({ takesPayments }: Sandbox) => (takesPayments ? processorFaults : crmFaults)
const timesMax = 1_000

export function faultPage(sandbox: Sandbox): Markup {
  const action = `/pages/${sandbox.crm}/faults`
  return html`<p>A fault strikes the next calls and is then used up. What Panji makes of it is seen in the console, and under Calls.</p>
<form method="post" action="${action}">
<div><label for="fault">Fault</label><select id="fault" name="fault">${listOf(sandbox).map(([name, words]) => html`<option value="${name}">${words}</option>`)}</select></div>
<div><label for="times">How many calls</label><input id="times" name="times" type="number" min="1" max="${timesMax}" value="1"></div>
<div><label for="match">Only calls${sandbox.takesPayments ? ', not notices,' : ''} with this in their path</label><input id="match" name="match" maxlength="200" placeholder="any call"></div>
<button>Switch on</button></form>
<h2>Still to strike</h2>
${pending(sandbox, action)}`
}

function pending(sandbox: Sandbox, action: string): Markup {
  const faults = sandbox.faults?.()
  if (faults === undefined) return html`<p class="faint">This sandbox does not list its faults.</p>`
  if (faults.length === 0) return html`<p>None. The CRM is well.</p>`
  return html`<ul>${faults.map(({ fault, left }) => html`<li>${wordsOf(sandbox, fault)}: ${left} ${left === 1 ? 'call' : 'calls'}${fault.match ? html`, of <code>${fault.match}</code>` : ''}</li>`)}</ul>
<form method="post" action="${action}"><button class="plain" name="fault" value="none">Switch all off</button></form>`
}

const wordsOf = (sandbox: Sandbox, { kind, status }: SandboxFault): string =>
  listOf(sandbox).find(([, , each]) => each.kind === kind)?.[1] ?? (status === undefined ? kind : `${kind} ${status}`)

/** @returns whether the form was valid. */
export function switchFault(sandbox: Sandbox, form: ReadonlyMap<string, string>): boolean {
  if (form.get('fault') === 'none') {
    sandbox.endFaults?.()
    return true
  }
  const [, , fault] = listOf(sandbox).find(([name]) => name === form.get('fault')) ?? []
  const match = form.get('match') ?? ''
  const read = SandboxFault.safeParse({ ...fault, times: Number(form.get('times') ?? 1), ...(match && { match }) })
  if (!fault || !read.success || (read.data.times ?? 1) > timesMax) return false
  sandbox.addFault(read.data)
  return true
}

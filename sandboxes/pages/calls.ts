/** The received calls with their content, newest first. Credentials are left out. */
import type { Sandbox, SandboxCall } from '../contract.ts'
import { html, type Markup } from './markup.ts'

const shownMax = 200
const bodyMax = 20_000
const inIndia = new Intl.DateTimeFormat('en-IN', { timeStyle: 'medium', dateStyle: 'medium', timeZone: 'Asia/Kolkata' })

export function callList(sandbox: Sandbox): Markup {
  const calls = sandbox.calls()
  if (calls.length === 0) return html`<p>Nobody has called yet.</p>`
  return html`<p class="faint">${calls.length.toLocaleString('en-IN')} calls; the newest ${shownMax} are shown.</p>
<div class="frame" tabindex="0" role="region" aria-label="Calls"><table><thead><tr><th scope="col">At</th><th scope="col">Answer</th><th scope="col">Call</th></tr></thead>
<tbody>${calls.toReversed().slice(0, shownMax).map(callRow)}</tbody></table></div>`
}

function callRow({ method, path, status, at, headers, body }: SandboxCall): Markup {
  const answer =
    status === 0
      ? html`<span class="bad">none</span>`
      : status < 400
        ? String(status)
        : html`<span class="bad">${status}</span>`
  return html`<tr><td><time datetime="${at}" title="${at}">${inIndia.format(new Date(at))} IST</time></td><td>${answer}</td>
<td><details><summary><code>${method} ${path}</code></summary>
<pre>${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')}</pre>
<pre>${bodyText(body)}</pre></details></td></tr>`
}

function bodyText(body: unknown): string {
  if (body === undefined || body === '') return 'without a body'
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2)
  return text.length > bodyMax ? `${text.slice(0, bodyMax)}\n… ${text.length - bodyMax} characters more` : text
}

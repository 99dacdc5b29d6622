/** The layout and style sheet of the sandbox pages. Without scripts: the pages consist of links and forms. */
import type { Sandbox } from '../contract.ts'
import { html, type Markup } from './markup.ts'

export interface Shell {
  readonly title: string
  readonly crm?: string
  readonly crms: readonly string[]
  /** Which of a CRM's pages this is. */
  readonly place?: (typeof places)[number]
  /** Reloads every few seconds. */
  readonly watching?: boolean
  readonly content: Markup
}

const places = ['records', 'calls', 'faults'] as const
const names: Readonly<Record<string, string>> = {
  hubspot: 'HubSpot',
  salesforce: 'Salesforce',
  zoho: 'Zoho',
  razorpay: 'Razorpay',
}
export const nameOf = (crm: string): string => names[crm] ?? crm

const watchSeconds = 3

export function page({ title, crm, crms, place, watching, content }: Shell): string {
  return html`<!doctype html>
<html lang="en-IN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${watching ? html`<meta http-equiv="refresh" content="${watchSeconds}">` : ''}
<title>${title} · sandbox CRMs of Panji</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/pages/style.css">
</head>
<body>
<header><a class="brand" href="/pages">Sandbox CRMs</a>
<nav aria-label="CRMs">${crms.map((each) => html`<a href="/pages/${each}/records" ${each === crm ? html`aria-current="true"` : ''}>${nameOf(each)}</a> `)}</nav></header>
<main>
<h1>${title}</h1>
${crm === undefined ? '' : html`<nav aria-label="${nameOf(crm)}">${places.map((each) => html`<a href="/pages/${crm}/${each}" ${each === place ? html`aria-current="page"` : ''}>${each[0]?.toUpperCase()}${each.slice(1)}</a> `)}</nav>`}
${content}
</main>
</body>
</html>`.text
}

/** A link that starts or stops the reloading of a page. */
export const watchLink = (path: string, watching: boolean): Markup =>
  watching
    ? html`<p class="faint">Loaded anew every ${watchSeconds} seconds. <a href="${path}">Stop</a></p>`
    : html`<p><a href="${path}?watch=on">Watch it: load anew every ${watchSeconds} seconds</a></p>`

export const startPage = (sandboxes: readonly Sandbox[]): string =>
  page({
    title: 'Sandbox CRMs',
    crms: sandboxes.map(({ crm }) => crm),
    content: html`<p>Stand-ins for real CRMs and for the payment processor, for trying deliveries and payments out. They run on this machine alone.</p>
<div class="frame"><table><thead><tr><th scope="col">Stands in for</th><th scope="col">Records</th><th scope="col">Calls</th></tr></thead>
<tbody>${sandboxes.map((sandbox) => html`<tr><td><a href="/pages/${sandbox.crm}/records">${nameOf(sandbox.crm)}</a></td><td>${counted(sandbox.records())}</td><td><a href="/pages/${sandbox.crm}/calls">${counted(sandbox.calls())} calls</a></td></tr>`)}</tbody></table></div>`,
  })

export const tokenPage = (refusal?: string): string =>
  page({
    title: 'Sandbox CRMs',
    crms: [],
    content: html`${refusal === undefined ? '' : html`<p class="bad" role="alert">${refusal}</p>`}
<p>These pages show what was delivered. Come in from the console (Health, “Sandbox CRMs”), or with the sandbox token that the start printed.</p>
<form method="post" action="/pages/enter"><div><label for="token">Sandbox token</label><input id="token" name="token" type="password" autocomplete="off" required></div><button>Come in</button></form>`,
  })

const counted = (list: readonly unknown[]): string => list.length.toLocaleString('en-IN')

export const styleSheet = `:root{color-scheme:light dark;--ground:#fff;--raised:#f5f6f8;--text:#1b1f24;--faint:#57606a;--line:#d0d5dc;--main:#1550a8;--on:#fff;--bad:#b01828}
@media (prefers-color-scheme:dark){:root{--ground:#14171c;--raised:#1e232b;--text:#e8ebef;--faint:#a6afba;--line:#3a424d;--main:#8ab8ff;--on:#0b1a30;--bad:#ff9aa4}}
*{box-sizing:border-box}
body{margin:0;font:15px/1.45 system-ui,sans-serif;background:var(--ground);color:var(--text)}
header{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:center;padding:.6rem 1rem;border-bottom:1px solid var(--line)}
main{padding:1rem;max-width:75rem}
h1{font-size:1.4rem;margin:.2rem 0 .6rem}
h2{font-size:1.1rem;margin:1.4rem 0 .4rem}
a{color:var(--main)}
.brand{font-weight:600;text-decoration:none;color:var(--text)}
nav{display:flex;flex-wrap:wrap;gap:.3rem}
nav a{padding:.25rem .7rem;border-radius:6px;text-decoration:none}
nav a[aria-current]{background:var(--raised);font-weight:600}
.frame{overflow-x:auto;border:1px solid var(--line);border-radius:6px;margin:.6rem 0}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid var(--line)}
th{background:var(--raised);white-space:nowrap}
tr:last-child td{border-bottom:0}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:.5rem 1.5rem}
dt{color:var(--faint);font-size:.9em}
dd{margin:0;overflow-wrap:anywhere;white-space:pre-line}
.faint{color:var(--faint)}
.bad{color:var(--bad);font-weight:600}
code,pre{font-family:ui-monospace,monospace;font-size:.9em;overflow-wrap:anywhere}
pre{white-space:pre-wrap;background:var(--raised);padding:.6rem;border-radius:6px;margin:.4rem 0}
form{display:flex;flex-wrap:wrap;gap:.5rem;align-items:end;margin:.5rem 0}
form>div{min-width:0;max-width:100%}
label{display:block;font-weight:600}
input,select,button{font:inherit;color:var(--text);background:var(--ground);border:1px solid var(--faint);border-radius:6px;padding:.3rem .6rem;max-width:100%}
button{cursor:pointer;background:var(--main);color:var(--on);border-color:var(--main)}
button.plain{background:var(--raised);color:var(--text);border-color:var(--faint)}
:focus-visible{outline:2px solid var(--main);outline-offset:2px}
`

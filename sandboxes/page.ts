/** The start page of the sandbox CRMs for browsers: what they are and how to call them. It shows no data. */
import type { ServerResponse } from 'node:http'

export function writeSandboxPage(response: ServerResponse, crms: readonly string[]): void {
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  })
  response.end(pageOf(crms))
}

/** The sandboxes' names are our own, so they need no escaping. */
function pageOf(crms: readonly string[]): string {
  const rows = crms.map((crm) => `<li>${crm}: <code>GET /control/records?crm=${crm}</code></li>`).join('')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sandbox CRMs of Panji</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem}</style>
<h1>Sandbox CRMs</h1>
<p>Stand-ins for real CRMs, for trying deliveries out. Every call below takes the printed sandbox token as bearer.</p>
<ul>${rows}</ul>
<p><a href="/pages">Pages for people</a>: records, calls, faults to switch on.</p>
<p><code>GET /control/calls?crm=…</code> lists the calls received, <code>POST /control/faults</code> scripts failures,
<code>POST /control/reset</code> empties.</p></html>`
}

/** The page on which a person pays an order of the sandbox. */
import type { ServerResponse } from 'node:http'
import type { SandboxOrder } from './state.ts'

export function writePayPage(response: ServerResponse, order: SandboxOrder | undefined, notice = ''): void {
  response.writeHead(order ? 200 : 404, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    'referrer-policy': 'same-origin',
  })
  const rupees = order ? (order.amount / 100).toFixed(2) : ''
  const body = order
    ? `<p>Order <code>${order.id}</code>: <strong>INR ${rupees}</strong>, ${order.status}.</p>${order.status === 'paid' ? paid : form}`
    : '<p>There is no such order.</p>'
  response.end(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Sandbox checkout</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem}</style>
<h1>Sandbox checkout</h1><p>No money moves here.</p>${notice && `<p role="status">${notice}</p>`}${body}</html>`)
}

const paid = '<p>Panji is notified: go back to its page, and close this one.</p>'
const form = `<form method="post">
<label>Method <select name="method"><option>upi</option><option>card</option><option>netbanking</option></select></label>
<button name="result" value="success">Pay</button> <button name="result" value="failure">Let it fail</button></form>`

/**
 * The page that CRMs redirect a browser to: `/crm/oauth/callback` receives the state with a code and shows the code
 * that finishes the sign-in. It redirects nowhere and is the same for everybody.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type AnsweredConsent, answerConsent } from '../deliver/connect/answer-consent.ts'
import { type ConnectParts, callbackPath } from '../deliver/connect/connect-parts.ts'

const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const hidden = { schema: { hide: true }, config: { public: true } } as const

export function addConnectPage(app: FastifyInstance, parts: ConnectParts): void {
  app.get<{ Querystring: Record<string, unknown> }>(callbackPath, hidden, async ({ query }, reply) => {
    const { state, code } = query
    const answered = await answerConsent(parts, {
      state: typeof state === 'string' ? state : '',
      code: typeof code === 'string' ? code : undefined,
    })
    return show(reply, answered)
  })
}

function show(reply: FastifyReply, answered: AnsweredConsent): FastifyReply {
  const { status, title, text } = pageFor(answered)
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><main><h1>${title}</h1>${text}</main></html>`,
    )
}

/** The shown code consists of letters, digits, `-` and `_`; nothing else of the request is repeated. */
function pageFor(answered: AnsweredConsent): {
  readonly status: number
  readonly title: string
  readonly text: string
} {
  switch (answered.is) {
    case 'allowed':
      return {
        status: 200,
        title: 'Allowed',
        text:
          '<p>Enter this code in Panji, where you started, within ten minutes. It works once, and only for you.</p>' +
          `<p><output><code>${answered.word}</code></output></p>` +
          '<p>If you did not start this yourself, close this page and do not share the code: without it nothing is connected.</p>',
      }
    case 'refused':
      return { status: 200, title: 'Not allowed', text: '<p>Nothing was connected. You can start again in Panji.</p>' }
    case 'unknown':
      return {
        status: 404,
        title: 'No sign-in in progress',
        text: '<p>This sign-in is unknown, already used or expired. Start again in Panji.</p>',
      }
  }
}

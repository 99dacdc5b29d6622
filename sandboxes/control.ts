/**
 * The control API of the sandbox server: records and calls of the CRMs, scripted failures, reset. Every call needs
 * the token.
 */
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { type Sandbox, SandboxFault } from './contract.ts'
import { parseJson, readBody, tooLarge, type WireAnswer } from './kit.ts'

export type Control = (request: IncomingMessage, url: URL) => Promise<WireAnswer>

const bodyBytesMax = 64 * 1024
const ScriptedFault = SandboxFault.extend({ crm: z.string() })
const NoticeAddress = z.strictObject({ crm: z.string(), url: z.url({ protocol: /^https?$/ }) })

export function controlOf(
  byName: ReadonlyMap<string, Sandbox>,
  token: string,
  settingsOf: (sandbox: Sandbox) => Readonly<Record<string, unknown>>,
): Control {
  const ok = (body: unknown): WireAnswer => ({ status: 200, body })
  const unknownCrm = { status: 400, body: { error: `crm must be one of: ${[...byName.keys()].join(', ')}` } }

  async function script(request: IncomingMessage): Promise<WireAnswer> {
    const text = await readBody(request, bodyBytesMax)
    if (text === null) return tooLarge(bodyBytesMax)
    const parsed = ScriptedFault.safeParse(parseJson(text))
    if (!parsed.success) return { status: 400, body: { error: z.prettifyError(parsed.error) } }
    const { crm, ...fault } = parsed.data
    const sandbox = byName.get(crm)
    if (!sandbox) return unknownCrm
    sandbox.addFault(fault)
    return { status: 201, body: { crm, fault } }
  }

  async function subscribe(request: IncomingMessage): Promise<WireAnswer> {
    const parsed = NoticeAddress.safeParse(parseJson((await readBody(request, bodyBytesMax)) ?? ''))
    if (!parsed.success) return { status: 400, body: { error: z.prettifyError(parsed.error) } }
    const sandbox = byName.get(parsed.data.crm)
    if (!sandbox?.notifyAt) return { status: 400, body: { error: 'this sandbox sends no notices' } }
    sandbox.notifyAt(parsed.data.url)
    return ok(parsed.data)
  }

  return async (request, url) => {
    if (!isBearer(request.headers.authorization, token))
      return { status: 401, body: { error: 'send the control_token as bearer' }, headers: { connection: 'close' } }
    const sandbox = byName.get(url.searchParams.get('crm') ?? '')
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /control/records':
        return sandbox ? ok(sandbox.records()) : unknownCrm
      case 'GET /control/settings':
        // Settings of a running instance, for adding a destination by hand.
        return sandbox ? ok(settingsOf(sandbox)) : unknownCrm
      case 'GET /control/calls':
        return sandbox ? ok(sandbox.calls()) : unknownCrm
      case 'POST /control/reset':
        for (const each of byName.values()) each.reset()
        return ok({ reset: [...byName.keys()] })
      case 'POST /control/notices':
        return subscribe(request)
      case 'POST /control/faults':
        return script(request)
      default:
        return {
          status: 404,
          body: { error: 'GET records?crm=, GET calls?crm=, POST faults, POST notices, POST reset' },
        }
    }
  }
}

function isBearer(header: string | undefined, token: string): boolean {
  const [given, wanted] = [Buffer.from(header ?? ''), Buffer.from(`Bearer ${token}`)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

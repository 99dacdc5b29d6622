/** Accounts of the HubSpot sandbox for single tests, and the sessions that lead into them. */
import type { CrmSession, SessionOptions } from '../../connectors/contract.ts'
import { hubspot } from '../../connectors/hubspot/connector.ts'
import { createHubspotSandbox, type HubspotSandboxOptions } from '../../sandboxes/hubspot/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../sandboxes/server.ts'
import { openGate } from './promises/world.ts'

export async function startAccount(options: HubspotSandboxOptions = {}) {
  const sandbox = createHubspotSandbox(options)
  return { sandbox, server: await startSandboxes([sandbox], { port: 0 }) }
}

/** @param over is laid over the settings that the sandbox gives. */
export function openAccount(
  server: RunningSandboxes,
  over: object = {},
  options: Partial<SessionOptions> = {},
): CrmSession {
  return hubspot.open(hubspot.readSettings({ ...server.settings('hubspot'), ...over }), {
    gate: openGate,
    signal: new AbortController().signal,
    ...options,
  })
}

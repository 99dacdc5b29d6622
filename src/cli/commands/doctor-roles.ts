/** Whether the processes run in roles with exactly the rights they need, and what to do if not. */
import { openDb } from '../../db/db.ts'
import { type AppRole, appRoles } from '../../db/roles.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import { rightsFault, tradeAdvice } from '../start/rights.ts'

export interface RolesVerdict {
  readonly ok: boolean
  readonly detail: string
}

export async function databaseRoles(instance: OpenInstance): Promise<RolesVerdict> {
  const { panji_api: api, panji_worker: worker, panji_trade: trade } = instance.connections
  const held = appRoles.filter((role) => instance.connections[role].role !== undefined)
  if (held.length === 0) return await noRoles(instance)
  const faults = await Promise.all(held.map((role) => findRightsFault(instance, role)))
  const found = faults.filter((fault) => fault !== undefined)
  if (worker.role && !trade.role) found.push(tradeAdvice)
  if (found.length > 0) return { ok: false, detail: found.join('; ') }
  if (!api.role || !worker.role) return { ok: true, detail: `this login is only ${held.join(' and ')}` }
  const own = api.connectionString === worker.connectionString ? 'as roles of this login' : 'with logins of their own'
  return {
    ok: true,
    detail: `requests run as panji_api, jobs as panji_worker, those that trade as panji_trade, ${own}`,
  }
}

async function noRoles({ db }: OpenInstance): Promise<RolesVerdict> {
  const [login] = await db.query<{ name: string; rolsuper: boolean }>(
    'SELECT rolname AS name, rolsuper FROM pg_roles WHERE rolname = current_user',
  )
  const power = login?.rolsuper === true ? ', a superuser' : ''
  return {
    ok: false,
    detail: `everything runs as ${login?.name ?? 'the login'}${power}; run \`panji migrate\`, which creates the roles or prints the statements for them`,
  }
}

async function findRightsFault({ connections }: OpenInstance, role: AppRole): Promise<string | undefined> {
  const db = openDb({ ...connections[role], applicationName: `panji:${process.pid}:doctor`, connectionsMax: 1 })
  try {
    return await rightsFault(db, role)
  } finally {
    await db.close()
  }
}

/** Whether the processes work as roles that may do no more than they need, and what to do where they do not. */
import type { OpenInstance } from '../instance/open-instance.ts'

export interface RolesVerdict {
  readonly ok: boolean
  readonly detail: string
}

export async function databaseRoles({ db, connections }: OpenInstance): Promise<RolesVerdict> {
  const { panji_api: api, panji_worker: worker } = connections
  if (api.role && worker.role) {
    const own = api.connectionString === worker.connectionString ? 'put on by the login' : 'with logins of their own'
    return { ok: true, detail: `requests run as panji_api, jobs as panji_worker, ${own}` }
  }
  const only = api.role ?? worker.role
  if (only) return { ok: true, detail: `this login is ${only} alone` }
  const [login] = await db.query<{ name: string; rolsuper: boolean }>(
    'SELECT rolname AS name, rolsuper FROM pg_roles WHERE rolname = current_user',
  )
  const power = login?.rolsuper === true ? ', a superuser' : ''
  return {
    ok: false,
    detail: `everything runs as ${login?.name ?? 'the login'}${power}; run \`panji migrate\`, which makes the roles or prints what makes them`,
  }
}

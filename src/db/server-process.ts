/** The server's process behind a connection. The client has been told a number as well, which is a pooler's own where one stands between. */
import type pg from 'pg'

const known = new WeakMap<object, number>()

/** As the server itself says it, when the connection opens. */
export const noteServerProcess = (client: pg.ClientBase, pid: number): void => void known.set(client, pid)

/** @returns 0 where it was never told, which is no process. */
export const serverProcessOf = (client: pg.ClientBase): number => known.get(client) ?? 0

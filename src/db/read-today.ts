/** Today in India by the database's clock, which all processes share. */
import type { Queryable } from './db.ts'

export async function readToday(db: Queryable): Promise<string> {
  const [row] = await db.query<{ today: string }>('SELECT runtime.indian_day(now()) AS today')
  if (!row) throw new Error('the database returned no day')
  return row.today
}

/** The baseline of the name search: the staged query as an expert writes it by hand, over one bare connection. */
import type pg from 'pg'

const columns = 'r.cin, r.name, r.state, r.city, r.paid_up_capital, r.status'
const isCin = /^[LU]\d{5}[A-Z]{2}\d{4}[A-Z]{3}\d{6}$/

export async function findNameByHand(client: pg.Client, text: string): Promise<number> {
  const run = async (sql: string, values: readonly unknown[]) => (await client.query(sql, [...values])).rows.length
  if (isCin.test(text)) return run(`SELECT ${columns} FROM registry.company r WHERE r.cin = $1`, [text])

  const { rows } = await client.query<{ key: string }>('SELECT registry.name_key($1) AS key', [text])
  const key = rows[0]?.key ?? ''
  const beginning = await run(
    `SELECT ${columns} FROM registry.company r WHERE r.closed_on IS NULL AND r.name_key LIKE $1
     ORDER BY r.name_key USING ~<~ LIMIT 10`,
    [`${key}%`],
  )
  if (beginning === 10) return 10

  const words = key.split(' ')
  const query = words.map((word, index) => (index === words.length - 1 && word.length > 2 ? `${word}:*` : word))
  const holding = await run(
    `SELECT * FROM (SELECT ${columns}, r.name_key FROM registry.company r
                    WHERE r.closed_on IS NULL AND to_tsvector('simple', r.name_key) @@ to_tsquery('simple', $1) LIMIT 500) AS c
     ORDER BY length(name_key) LIMIT 10`,
    [query.join(' & ')],
  )
  if (beginning + holding > 0) return Math.min(10, beginning + holding)

  const stems = words.filter((word) => word.length > 2).map((word) => `${word.slice(0, 4)}:*`)
  return run(
    `SELECT * FROM (SELECT ${columns}, similarity(r.name_key, $1) AS likeness FROM registry.company r
                    WHERE r.closed_on IS NULL AND to_tsvector('simple', r.name_key) @@ to_tsquery('simple', $2) LIMIT 500) AS c
     WHERE likeness >= 0.3 ORDER BY likeness DESC LIMIT 10`,
    [key, stems.join(' | ')],
  )
}

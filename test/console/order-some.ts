/** An order of some companies of a state, placed as a program of the account does. */
import type { ConsoleInstance } from '../support/console-instance.ts'
import { asProgram } from './as-program.ts'

/** @returns its id. */
export async function orderSome(instance: ConsoleInstance, state: string): Promise<string> {
  const call = await asProgram(instance)
  const { results } = await call<{ results: readonly { CIN: string; companyName: string }[] }>(
    'POST',
    '/api/screener/search',
    { query: `State == '${state}'`, type: 'company', page: 1, limit: 6 },
  )
  const items = results.map(({ CIN, companyName }) => ({ type: 'company', name: companyName, number: CIN }))
  const order = { orderName: `Some of ${state}`, paymentOption: 'credits', items }
  return (await call<{ _id: string }>('POST', '/api/orders/normal', order))._id
}

/** Orders the selected records. The price is shown first, and the order opens once it is placed. */
import { useEffect, useId, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { instantInWords } from '../../look/days.ts'
import { count, counted } from '../../look/numbers.ts'
import { Reading } from '../../look/reading.tsx'
import { registerNames } from '../../look/register-names.ts'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'
import { useMay } from '../account.ts'
import { AccountAct } from '../account-act.tsx'
import { billingFields, billingOf, useBilling, wholeBilling } from '../money/billing-fields.ts'
import { usePacks, withTax } from '../money/on-sale.ts'
import type { ListedRecord } from './record-table.tsx'

export function OrderThese(props: {
  readonly records: readonly ListedRecord[]
  /** More records are about to be selected. */
  readonly isChanging?: boolean
}) {
  const { records, isChanging = false } = props
  const [, go] = useLocation()
  const packs = usePacks()
  const kept = useBilling()
  const isOnline = packs.data?.online_payment === true
  const isAdmin = useMay('order', true)
  const checkId = useId()
  const [excludesInactive, setExcludesInactive] = useState(true)
  const { leads, price } = useLeads(records, excludesInactive)
  return (
    <AccountAct
      needs="order"
      label={records.length === 0 ? 'Buy selected' : `Buy ${counted(leads, 'lead')}${price}`}
      title={`Buy ${counted(leads, 'lead')}`}
      tone="main"
      disabled={records.length === 0 || isChanging}
      whole={wholeBilling(kept.data ?? { billing: null, revision: '' }, (billing) => [
        { name: 'orderName', label: 'Name of the order', initial: nameFor(records, leads) },
        {
          ...{ name: 'paymentOption', label: 'Paid by' },
          options: isOnline ? ['credits', 'online'] : ['credits'],
        },
        ...(isOnline && kept.data && (isAdmin || billing === null) ? billingFields(billing, 'paymentOption') : []),
      ])}
      calls={({ orderName = '', paymentOption = 'credits', ...typed }, key, revision) => {
        const items = records.map(({ type, name, id }) => ({ type, name, number: id }))
        const params = { header: { 'Idempotency-Key': key } }
        const billing = paymentOption === 'online' ? billingOf(typed, revision) : {}
        const body = { orderName, paymentOption, items, exclude_inactive: excludesInactive, ...billing }
        return api.POST('/api/orders/normal', { params, body })
      }}
      says={() => `${counted(leads, 'lead')} ordered.`}
      done={({ _id }) => go(`/orders/${_id}`)}
    >
      <Price records={records} excludesInactive={excludesInactive} isOnline={isOnline} />
      <div className="field check">
        <label htmlFor={checkId}>Leave out inactive records</label>
        <input
          id={checkId}
          type="checkbox"
          checked={excludesInactive}
          onChange={(event) => setExcludesInactive(event.currentTarget.checked)}
        />
        <p className="hint">Struck off, cancelled, deactivated or disqualified.</p>
      </div>
    </AccountAct>
  )
}

/** The name of the only record, or `3 records, 22 Nov 2026, 7:35 am`. */
function nameFor(records: readonly ListedRecord[], leads: number): string {
  const [first] = records
  return first && records.length === 1
    ? first.name.slice(0, 100)
    : `${counted(leads, 'record')}, ${instantInWords(new Date())}`
}

function useQuote(records: readonly ListedRecord[], excludesInactive: boolean, enabled = true) {
  const items = records.map(({ type, name, id }) => ({ type, name, number: id }))
  return useRead(
    ['quote', items, excludesInactive],
    () => api.POST('/api/orders/quote', { body: { items, exclude_inactive: excludesInactive } }),
    { enabled, staleTime: 60_000 },
  )
}

/** Waits until the selection has not changed for a moment, so that quick presses cost one request. */
const restMs = 600

/**
 * The number of leads without those left out, and ` · 12 credits · 9 with mobile`; until the price is known, all of
 * them and no price.
 */
function useLeads(records: readonly ListedRecord[], excludesInactive: boolean) {
  const key = records.map(({ id }) => id).join(' ')
  const [resting, setResting] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setResting(key), restMs)
    return () => clearTimeout(timer)
  }, [key])
  const mayOrder = useMay('order')
  const { data } = useQuote(records, excludesInactive, mayOrder && key !== '' && resting === key)
  const leads = records.length - (data && excludesInactive ? sumOf(data.types, 'inactive') : 0)
  // Nothing would be bought, so no price is shown; the dialog explains.
  if (!data || leads === 0) return { leads: records.length, price: '' }
  const mobile = sumOf(data.types, 'by_mobile')
  return { leads, price: ` · ${counted(data.credits_needed, 'credit')} · ${count(mobile)} with mobile` }
}

const sumOf = <Member extends string>(types: readonly Readonly<Record<Member, number>>[], member: Member): number =>
  types.reduce((sum, each) => sum + each[member], 0)

/** What the order would include and cost, as counted by the server. */
function Price(props: {
  readonly records: readonly ListedRecord[]
  readonly excludesInactive: boolean
  readonly isOnline: boolean
}) {
  const { records, excludesInactive, isOnline } = props
  const mayBuy = useMay('order', true)
  const quote = useQuote(records, excludesInactive)
  return (
    <Reading of={quote} what="what it costs">
      {({ types, credits_needed, credits_held, credit_balance, online_price: online }) => (
        <>
          {excludesInactive && sumOf(types, 'inactive') === records.length && (
            <p className="notice warn">Nothing would be bought: everything you chose is inactive and left out.</p>
          )}
          <p>
            It costs {counted(credits_needed, 'credit')}; you have {counted(credit_balance, 'credit')}. Records that
            cannot be reached are refunded automatically.
            {credits_held > credits_needed && ` To place the order you need ${counted(credits_held, 'credit')}.`}
            {credits_held > credit_balance && <> You do not have enough: {waysOn(isOnline, mayBuy)}.</>}
          </p>
          {online !== null && online.amount > 0 && (
            <p>
              Paid online it costs {withTax(online)}.
              {credits_held > credits_needed && ' What cannot be reached is then refunded as credits.'}
            </p>
          )}
          <ul>
            {types
              .filter(({ asked }) => asked > 0)
              .map(({ type, asked, inactive, reachable, already_owned, adds }) => (
                <li key={type}>
                  {registerNames[type]}: {count(reachable)} of {count(asked)} can be reached
                  {inactive > 0 && `, ${count(inactive)} inactive${excludesInactive ? ', left out' : ''}`}
                  {already_owned > 0 && `, ${counted(already_owned, 'is yours', 'are yours')} already`}
                  {`. A lead adds ${adds.join(', ')} to its details, where they are known.`}
                </li>
              ))}
          </ul>
        </>
      )}
    </Reading>
  )
}

/** What to do with too few credits; only admins buy them, and only where online payment is set up. */
function waysOn(isOnline: boolean, mayBuy: boolean) {
  if (!isOnline) return 'the operator of this Panji adds some'
  if (!mayBuy) return 'pay online, or ask an admin to buy some'
  return (
    <>
      <Link href="/credits">buy some</Link>, or pay online
    </>
  )
}

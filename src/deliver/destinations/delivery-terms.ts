/** When and how leads go into a destination: what was said of it goes in, all of it comes out, with what stays or is usual for the rest. */
import { readCustomerShare, usualCustomerShare } from '../lease/customer-share.ts'
import { readBatchSize } from './batch-size.ts'
import { readDeliverWhen } from './deliver-when.ts'
import { readHours } from './delivery-hours.ts'
import { type Keep, readKeep, requireSendsAlone } from './keep.ts'
import { readPauseShare } from './pause-at-rejected.ts'
import { readThreshold, requireOrder, usualAskFrom } from './thresholds.ts'

export interface DeliveryTerms {
  /** `automatic` unless said: see deliver-when.ts. */
  readonly deliver?: string | undefined
  /** 0.2 unless said: see customer-share.ts. */
  readonly customerShare?: number | undefined
  /** What the connector takes unless said: see batch-size.ts. */
  readonly batchSize?: number | null | undefined
  /** All unless said: see delivery-hours.ts. */
  readonly hours?: string | null | undefined
  /** Never unless said: see pause-at-rejected.ts. */
  readonly pauseAtRejected?: number | null | undefined
  /** `delivered` unless said: see keep.ts. */
  readonly keep?: string | undefined
  /** None is taken unless said: see thresholds.ts. */
  readonly adoptFrom?: number | null | undefined
  /** 50 unless said, and no more than `adoptFrom`. */
  readonly askFrom?: number | null | undefined
}

export interface KeptTerms {
  readonly deliver: string
  readonly customerShare: number
  readonly batchSize: number | null
  readonly hours: string | null
  readonly pauseAtRejected: number | null
  readonly keep: Keep
  readonly adoptFrom: number | null
  readonly askFrom: number | null
}

const usualTerms: KeptTerms = {
  deliver: 'automatic',
  customerShare: usualCustomerShare,
  batchSize: null,
  hours: null,
  pauseAtRejected: null,
  keep: 'delivered',
  adoptFrom: null,
  askFrom: usualAskFrom,
}

/** @param kept what holds where nothing is said. @throws AppError DESTINATION_INVALID */
export function readTerms(said: DeliveryTerms, kept: KeptTerms = usualTerms): KeptTerms {
  const terms = heldTerms(said, kept)
  requireSendsAlone(terms.keep, terms.deliver)
  requireOrder(terms)
  return terms
}

function heldTerms(said: DeliveryTerms, kept: KeptTerms): KeptTerms {
  const adoptFrom = said.adoptFrom === undefined ? kept.adoptFrom : readThreshold('adopt_from', said.adoptFrom)
  return {
    deliver: said.deliver === undefined ? kept.deliver : readDeliverWhen(said.deliver),
    customerShare: said.customerShare === undefined ? kept.customerShare : readCustomerShare(said.customerShare),
    batchSize: said.batchSize === undefined ? kept.batchSize : readBatchSize(said.batchSize),
    hours: said.hours === undefined ? kept.hours : readHours(said.hours),
    pauseAtRejected: said.pauseAtRejected === undefined ? kept.pauseAtRejected : readPauseShare(said.pauseAtRejected),
    keep: said.keep === undefined ? kept.keep : readKeep(said.keep),
    adoptFrom,
    askFrom: said.askFrom === undefined ? askedBelow(kept.askFrom, adoptFrom) : readThreshold('ask_from', said.askFrom),
  }
}

/** Of what is taken nobody is asked. */
const askedBelow = (askFrom: number | null, adoptFrom: number | null): number | null =>
  askFrom === null || adoptFrom === null ? askFrom : Math.min(askFrom, adoptFrom)

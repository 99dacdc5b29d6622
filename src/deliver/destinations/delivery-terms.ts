/**
 * When and how leads are delivered to a destination: the given terms, completed with the current ones or the
 * defaults.
 */
import { readCustomerShare, usualCustomerShare } from '../lease/customer-share.ts'
import { readBatchSize } from './batch-size.ts'
import { readDeliverWhen } from './deliver-when.ts'
import { readHours } from './delivery-hours.ts'
import { readKeep, requireSendsAlone } from './keep.ts'
import type { KeptTerms } from './open-destination.ts'
import { readPauseShare } from './pause-at-rejected.ts'
import { readThreshold, requireOrder, usualAskFrom } from './thresholds.ts'

export interface DeliveryTerms {
  /** Default `automatic`: see deliver-when.ts. */
  readonly deliver?: string | undefined
  /** Default 0.2: see customer-share.ts. */
  readonly customerShare?: number | undefined
  /** Default: the connector's maximum; see batch-size.ts. */
  readonly batchSize?: number | null | undefined
  /** Default: all hours; see delivery-hours.ts. */
  readonly hours?: string | null | undefined
  /** Default: never; see pause-at-rejected.ts. */
  readonly pauseAtRejected?: number | null | undefined
  /** Default `delivered`: see keep.ts. */
  readonly keep?: string | undefined
  /** Default: no record is adopted; see thresholds.ts. */
  readonly adoptFrom?: number | null | undefined
  /** Default 50, and at most `adoptFrom`. */
  readonly askFrom?: number | null | undefined
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

/** @param kept the terms that hold where `given` has none. @throws AppError DESTINATION_INVALID */
export function readTerms(given: DeliveryTerms, kept: KeptTerms = usualTerms): KeptTerms {
  const terms = heldTerms(given, kept)
  requireSendsAlone(terms.keep, terms.deliver)
  requireOrder(terms)
  return terms
}

function heldTerms(given: DeliveryTerms, kept: KeptTerms): KeptTerms {
  const adoptFrom = given.adoptFrom === undefined ? kept.adoptFrom : readThreshold('adopt_from', given.adoptFrom)
  return {
    deliver: given.deliver === undefined ? kept.deliver : readDeliverWhen(given.deliver),
    customerShare: given.customerShare === undefined ? kept.customerShare : readCustomerShare(given.customerShare),
    batchSize: given.batchSize === undefined ? kept.batchSize : readBatchSize(given.batchSize),
    hours: given.hours === undefined ? kept.hours : readHours(given.hours),
    pauseAtRejected: given.pauseAtRejected === undefined ? kept.pauseAtRejected : readPauseShare(given.pauseAtRejected),
    keep: given.keep === undefined ? kept.keep : readKeep(given.keep),
    adoptFrom,
    askFrom:
      given.askFrom === undefined ? askedBelow(kept.askFrom, adoptFrom) : readThreshold('ask_from', given.askFrom),
  }
}

/** A match at or above `adoptFrom` is adopted without asking. */
const askedBelow = (askFrom: number | null, adoptFrom: number | null): number | null =>
  askFrom === null || adoptFrom === null ? askFrom : Math.min(askFrom, adoptFrom)

import type { Operation } from '../../operation.ts'
import closeEvent from './close-event.ts'
import listEvents from './list-events.ts'
import listRefunds from './list-refunds.ts'
import reconcile from './reconcile.ts'
import refund from './refund.ts'

export const payments: readonly Operation[] = [listEvents, closeEvent, reconcile, listRefunds, refund]

import type { Operation } from '../../operation.ts'
import cancel from './cancel.ts'
import create from './create.ts'
import disputeItem from './dispute-item.ts'
import explain from './explain.ts'
import exportOne from './export.ts'
import exportSeveral from './export-several.ts'
import find from './find.ts'
import get from './get.ts'
import list from './list.ts'
import quote from './quote.ts'
import reclaim from './reclaim.ts'
import refund from './refund.ts'
import trace from './trace.ts'

export const orders: readonly Operation[] = [
  create,
  list,
  get,
  cancel,
  quote,
  reclaim,
  disputeItem,
  trace,
  exportOne,
  exportSeveral,
  find,
  explain,
  refund,
]

import type { Operation } from '../../operation.ts'
import create from './create.ts'
import getContacts from './get-contacts.ts'
import list from './list.ts'
import listOrders from './list-orders.ts'

export const leads: readonly Operation[] = [list, listOrders, create, getContacts]

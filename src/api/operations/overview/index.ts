import type { Operation } from '../../operation.ts'
import get from './get.ts'
import getStorage from './get-storage.ts'

export const overview: readonly Operation[] = [getStorage, get]

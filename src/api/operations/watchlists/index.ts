import type { Operation } from '../../operation.ts'
import addEntities from './add-entities.ts'
import create from './create.ts'
import remove from './delete.ts'
import get from './get.ts'
import list from './list.ts'
import removeEntities from './remove-entities.ts'
import rename from './rename.ts'

export const watchlists: readonly Operation[] = [create, list, get, rename, addEntities, removeEntities, remove]

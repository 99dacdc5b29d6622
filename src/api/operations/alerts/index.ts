import type { Operation } from '../../operation.ts'
import addChannel from './add-channel.ts'
import list from './list.ts'
import listChannels from './list-channels.ts'
import removeChannel from './remove-channel.ts'
import resend from './resend.ts'
import test from './test.ts'

export const alerts: readonly Operation[] = [list, listChannels, addChannel, removeChannel, test, resend]

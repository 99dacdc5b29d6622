/** An idle process: delays of its event loop are caused by the machine, not by the server. */
import { watchLoop } from './loop-delay.ts'

const loop = watchLoop()
process.on('message', () => {
  process.send?.(loop.read())
  loop.restart()
})
process.on('disconnect', () => process.exit())

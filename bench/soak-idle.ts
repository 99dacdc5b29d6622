/** A process that does nothing: what its event loop is late, the machine and not the server is to blame for. */
import { watchLoop } from './loop-delay.ts'

const loop = watchLoop()
process.on('message', () => {
  process.send?.(loop.read())
  loop.restart()
})
process.on('disconnect', () => process.exit())

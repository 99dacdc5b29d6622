/** The pages of the console as they ship, built once for all test files that look at them, unless the install's are fresh. */
import { buildWeb, isWebBuilt } from '../../scripts/build-web.ts'

export default function setup(): void {
  if (!isWebBuilt()) buildWeb()
}

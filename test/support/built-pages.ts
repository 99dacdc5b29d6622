/**
 * The pages of the console as they ship, built once for all test files that open them, unless the existing build is
 * fresh.
 */
import { buildWeb, isWebBuilt } from '../../scripts/build-web.ts'

export default function setup(): void {
  if (!isWebBuilt()) buildWeb()
}

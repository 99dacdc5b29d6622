/** By what operators come in: their tokens, those of the scraper of metrics, and the sessions of their browsers. */
import { type EnvironmentMarks, environmentMarks, findConsoleSession } from '../access/console-sessions.ts'
import { createKnownCredentials, type KnownCredentials } from '../access/known-credentials.ts'
import { createMetricsAuthenticator, createOperatorAuthenticator, isOperatorTokenShaped } from '../access/operators.ts'
import { createOperatorDoor, type OperatorDoor, oneOf, type SessionReader } from './hooks/operator.ts'
import type { Strangers } from './hooks/stranger-bucket.ts'
import type { ServerOptions } from './server-options.ts'

export interface OperatorDoors {
  readonly credentials: KnownCredentials
  /** Names that the environment gives to operators. */
  readonly operatorNames: readonly string[]
  readonly marks: EnvironmentMarks
  readonly door: OperatorDoor
  /** Opens to the token of metrics, too. */
  readonly scraperDoor: OperatorDoor
  readonly readSession: SessionReader
}

export function createOperatorDoors(options: ServerOptions, strangers: Strangers): OperatorDoors {
  const { db, secretKey, metricsToken } = options
  const operators = [{ name: 'default', token: options.operatorToken }, ...(options.operators ?? [])]
  const authenticate = createOperatorAuthenticator(db, operators)
  const credentials = createKnownCredentials(db)
  const isGiven = oneOf([...operators.map(({ token }) => token), ...(metricsToken ? [metricsToken] : [])])
  const mayOpen = async (token: string) =>
    isGiven(token) || (isOperatorTokenShaped(token) && (await credentials.operatorToken(token)))
  const marks = environmentMarks(operators, secretKey)
  const scraper = createMetricsAuthenticator(metricsToken, authenticate)
  return {
    credentials,
    operatorNames: operators.map(({ name }) => name),
    marks,
    door: createOperatorDoor({ authenticate, strangers, mayOpen }),
    scraperDoor: createOperatorDoor({ authenticate: scraper, strangers, mayOpen }),
    readSession: async (secret, ip) =>
      !strangers.others.isEmpty(ip) || (await credentials.consoleSession(secret))
        ? findConsoleSession(db, marks, secret)
        : undefined,
  }
}

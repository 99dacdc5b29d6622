/** How operators authenticate: their tokens, those of the metrics scraper, and the sessions of their browsers. */
import { type EnvironmentMarks, environmentMarks, findConsoleSession } from '../access/console-sessions.ts'
import { createKnownCredentials, type KnownCredentials } from '../access/known-credentials.ts'
import {
  createMetricsAuthenticator,
  createOperatorAuthenticator,
  isOperatorTokenShaped,
  type OperatorAuthenticator,
} from '../access/operators.ts'
import type { AnonymousClients } from './hooks/anonymous-clients.ts'
import { createGuardedAuthenticator, oneOf, type SessionReader } from './hooks/operator.ts'
import type { ServerOptions } from './server-options.ts'

export interface OperatorAuthenticators {
  readonly credentials: KnownCredentials
  /** Names of the operators in the environment. */
  readonly operatorNames: readonly string[]
  readonly marks: EnvironmentMarks
  readonly authenticateOperator: OperatorAuthenticator
  /** Also accepts the metrics token. */
  readonly ofScraper: OperatorAuthenticator
  readonly readSession: SessionReader
}

export function createOperatorAuthenticators(
  options: ServerOptions,
  anonymous: AnonymousClients,
): OperatorAuthenticators {
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
    authenticateOperator: createGuardedAuthenticator({ authenticate, anonymous, mayOpen }),
    ofScraper: createGuardedAuthenticator({ authenticate: scraper, anonymous, mayOpen }),
    readSession: async (secret, ip) =>
      !anonymous.others.isEmpty(ip) || (await credentials.consoleSession(secret))
        ? findConsoleSession(db, marks, secret)
        : undefined,
  }
}

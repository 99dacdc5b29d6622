/**
 * Signs in to one Salesforce org and keeps the connection with its token until `giveUp`. A refresh token is spent
 * through `renewSettings`, which stores a rotated one first, since the previous one stops working.
 */
import { createPrivateKey } from 'node:crypto'
// Not the package itself, which also loads streaming, SOAP and the metadata API: 0.15 s of each command. This part of it comes
// first, because the modules import each other: otherwise the package would have no Connection for whoever imports it later.
import '@jsforce/jsforce-node/lib/jsforce.js'
import { Connection } from '@jsforce/jsforce-node/lib/connection.js'
import { OAuth2, type TokenResponse } from '@jsforce/jsforce-node/lib/oauth2.js'
import { SignJWT } from 'jose'
import { AppError } from '../../src/errors.ts'
import type { SessionOptions } from '../contract.ts'
import type { CrmNetwork } from '../crm-network.ts'
import type { RenewSettings } from '../renew-settings.ts'
import { failureOfSignIn } from './outcomes.ts'
import type { SalesforceSettings } from './settings.ts'
import { missingScope } from './sign-in-advice.ts'
import type { GatedTransport } from './transport.ts'

/** Always set: jsforce's default is version 50. */
export const apiVersion = '66.0'

/** An org and the host that serves it. */
export interface Organization {
  readonly id: string
  /** The signed-in user; undefined if the reply does not name it. */
  readonly userId: string | undefined
  readonly instanceUrl: string
}

type RefreshTokenSettings = Extract<SalesforceSettings, { readonly auth: 'refresh_token' }>

export interface SignInParts {
  readonly settings: SalesforceSettings
  readonly session: SessionOptions
  readonly network: CrmNetwork
  readonly transport: GatedTransport
}

export class OrgSignIn {
  readonly #parts: SignInParts
  readonly #oauth2: OAuth2
  #connection: Promise<Connection> | null = null
  /** The latest one, for sessions whose settings are not stored. */
  #refreshToken: string
  #organization: Organization | undefined

  constructor(parts: SignInParts) {
    const { settings, transport } = parts
    this.#parts = parts
    this.#oauth2 = new OAuth2({ loginUrl: settings.login_url })
    this.#oauth2._transport = transport.ungated()
    this.#refreshToken = settings.auth === 'refresh_token' ? settings.refresh_token : ''
  }

  connect(): Promise<Connection> {
    this.#connection ??= this.#signIn()
    return this.#connection
  }

  /** The next call signs in again. */
  giveUp(): void {
    this.#connection = null
  }

  /** @throws AppError CRM_UNAUTHORIZED if the reply names none. */
  async organization(): Promise<Organization> {
    await this.connect()
    if (this.#organization !== undefined) return this.#organization
    throw new AppError('CRM_UNAUTHORIZED', 'The sign-in reply does not say which Salesforce org it is for')
  }

  async #signIn(): Promise<Connection> {
    const { settings, network, transport } = this.#parts
    const token = await this.#requestToken()
    if (!network.reaches(token.instance_url)) {
      throw new AppError('CRM_UNAUTHORIZED', 'The sign-in reply names an instance that is not a host of Salesforce')
    }
    const lacking = missingScope(token.scope)
    if (lacking !== null) throw new AppError('CRM_UNAUTHORIZED', lacking)
    // The first 15 characters identify the org; the rest of an id is a checksum.
    const id = /\/id\/(00D[A-Za-z0-9]{12})/.exec(token.id)?.[1]
    const userId = /\/(005[A-Za-z0-9]{12,15})\/?$/.exec(token.id)?.[1]
    this.#organization = id === undefined ? undefined : { id, userId, instanceUrl: token.instance_url }
    const connection = new Connection({
      version: apiVersion,
      loginUrl: settings.login_url,
      instanceUrl: token.instance_url,
      accessToken: token.access_token,
    })
    connection._transport = transport
    return connection
  }

  async #requestToken(): Promise<TokenResponse> {
    try {
      const { session, settings } = this.#parts
      await session.gate.take(1, session.signal)
      return settings.auth === 'refresh_token'
        ? await this.#spend(settings)
        : await this.#oauth2.requestToken(await this.#grant(settings))
    } catch (error) {
      this.giveUp()
      throw failureOfSignIn(error)
    }
  }

  async #grant(settings: SalesforceSettings): Promise<{ grant_type: string; [name: string]: string }> {
    switch (settings.auth) {
      case 'jwt': {
        const assertion = await new SignJWT()
          .setProtectedHeader({ alg: 'RS256' })
          .setIssuer(settings.client_id)
          .setSubject(settings.username)
          .setAudience(settings.audience ?? audienceOf(settings.login_url))
          .setExpirationTime('3m')
          .sign(createPrivateKey(settings.private_key))
        return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }
      }
      case 'client_credentials':
        return {
          grant_type: 'client_credentials',
          client_id: settings.client_id,
          client_secret: settings.client_secret,
        }
      case 'refresh_token':
        return {
          grant_type: 'refresh_token',
          refresh_token: settings.refresh_token,
          client_id: settings.client_id,
          ...(settings.client_secret === undefined ? {} : { client_secret: settings.client_secret }),
        }
    }
  }

  /** jsforce drops a rotated refresh token. */
  #spend(settings: RefreshTokenSettings): Promise<TokenResponse> {
    const renew: RenewSettings =
      this.#parts.session.renewSettings ??
      (async (spend) => (await spend({ ...settings, refresh_token: this.#refreshToken })).granted)
    return renew(async (values) => {
      const spent = String(values['refresh_token'])
      const granted = await this.#oauth2.requestToken(await this.#grant({ ...settings, refresh_token: spent }))
      const next = granted.refresh_token ?? spent
      this.#refreshToken = next
      return { granted, changed: next === spent ? null : { refresh_token: next } }
    })
  }
}

/** The assertion's audience is the login service for the org's kind, even if it is sent to the org's own My Domain. */
export function audienceOf(loginUrl: string): string {
  const { hostname } = new URL(loginUrl)
  const isTest = hostname === 'test.salesforce.com' || hostname.includes('.sandbox.')
  return isTest ? 'https://test.salesforce.com' : 'https://login.salesforce.com'
}

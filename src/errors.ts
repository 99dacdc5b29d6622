/**
 * The one error class of Panji and the list of its codes.
 *
 * A code's doc comment has its meaning and its remedy; `docs/errors.md` is generated from this file and a test compares
 * the two. Two translators read an AppError: `src/api/error-reply.ts` for HTTP and `src/queue/worker.ts` for jobs.
 * Nothing else catches, except to add a cause and throw again.
 */

/**
 * What the job translator does: dead letter, retry with backoff, a successor job after a delay, or successors after
 * growing pauses for as long as it takes, which use up no attempt, because a person has to fix the cause.
 */
export type Retry = 'never' | 'later' | 'patiently' | Later

export interface Later {
  readonly afterMs: number
  /** Nothing failed: a quota is used up until then. */
  readonly isQuota?: true
}

export const errorCodes = {
  /** The request is malformed: JSON, or a missing, mistyped or out-of-range parameter. Fix the request. */
  BAD_REQUEST: 400,
  /** The operation was not confirmed, and nothing was changed. To erase an account send {"confirm": "<e-mail of the account>"}; answer y to a command that asks, or use --yes, which is required without a terminal. */
  CONFIRMATION_REQUIRED: 400,
  /** The account has fewer credits than the order costs; nothing was written. Add credits or order less. */
  INSUFFICIENT_CREDITS: 400,
  /** The call has no valid bearer token. Log in at POST /api/auth/login and send the access token. */
  UNAUTHENTICATED: 401,
  /** A raw API key was sent as bearer. Exchange it at POST /api/auth/login first: `exchange` is the call, ready to paste with the key in PANJI_API_KEY. */
  API_KEY_AS_BEARER: 401,
  /** The access token has expired. Refresh it at POST /api/auth/refresh-token. */
  TOKEN_EXPIRED: 401,
  /** The API key is unknown, expired or revoked. Check the key or create a new one. */
  INVALID_API_KEY: 401,
  /** The refresh token is unknown, expired or revoked. Log in again with the API key. */
  INVALID_REFRESH_TOKEN: 401,
  /** A notice to the payment webhook does not have the processor's signature of its body. */
  WEBHOOK_SIGNATURE_INVALID: 401,
  /** The code of the mailed link is unknown, already used or expired. Request another link, or sign in with an API key. */
  INVALID_SIGN_IN_CODE: 401,
  /** The operator token is missing, wrong or revoked. Send PANJI_OPERATOR_TOKEN, or the token of a named operator, as bearer. */
  OPERATOR_TOKEN_REQUIRED: 401,
  /** The operator or person has a second factor: the token or link also needs a code of the authenticator, each code once. Sign in with `totp`. */
  SECOND_FACTOR_REQUIRED: 401,
  /** The token was not issued for the developer API. Log in with an API key. */
  WRONG_AUDIENCE: 403,
  /** The account is suspended. Ask the operator. */
  ACCOUNT_SUSPENDED: 403,
  /** No active plan grants the dataset. See GET /api/access. */
  NO_DATASET_ACCESS: 403,
  /** The requested state, district or pincode lies outside the entitled territory. See GET /api/access. */
  TERRITORY_NOT_ENTITLED: 403,
  /** The session's key lacks the scope that the call needs; missing_scopes names it. Log in with a key that has it. */
  SCOPE_MISSING: 403,
  /** Your role in the account does not allow the call; needed_role names the one that does. Ask an admin of the account. */
  ROLE_MISSING: 403,
  /** Your account requires a second factor, and you have none yet. Add one on the page Team, or at POST /api/second-factor. */
  SECOND_FACTOR_MISSING: 403,
  /** The sign-in at the OIDC provider failed: it was started elsewhere or not finished, or no person has the verified address. */
  OIDC_REFUSED: 403,
  /** An operation that cannot be undone needs a login of the last five minutes, with a key or as a person that the account has had for a day. Exchange the API key again at POST /api/auth/login; with a newer key or person, use an older one, or wait until the time in the message. */
  FRESH_LOGIN_REQUIRED: 403,
  /** A browser's cookie came without the X-CSRF-Token of its session, or from a page of another origin. GET the session to read its csrf_token. */
  CSRF_TOKEN_MISSING: 403,
  /** The operator's role does not allow the call; required_role names the one that does. Ask an owner. */
  OPERATOR_ROLE_MISSING: 403,
  /** The operator has blocked the address, or it sent too many wrong keys and this one is wrong too. Ask the operator to unblock it. */
  ADDRESS_BLOCKED: 403,
  /** The resource does not exist, or belongs to another account. Check the ID. */
  NOT_FOUND: 404,
  /** The path exists, but not with this method. The Allow header names those that do. */
  METHOD_NOT_ALLOWED: 405,
  /** The request conflicts with the current state of the resource, for example cancelling a paid order. */
  CONFLICT: 409,
  /** A request with the same Idempotency-Key is still running. Try again shortly. */
  IDEMPOTENCY_IN_PROGRESS: 409,
  /** The account has stored as much of `quota` as its plan allows. Delete some, or ask for a larger plan. */
  QUOTA_EXCEEDED: 409,
  /** The day is before the retained history. Ask for `retained_from` or later. */
  HISTORY_NOT_RETAINED: 410,
  /** The body is too large: the limit is 16 KiB plus what the operation's lists and texts need, at most 1 MiB. Send less. */
  PAYLOAD_TOO_LARGE: 413,
  /** Only application/json is accepted. Set Content-Type. */
  UNSUPPORTED_MEDIA_TYPE: 415,
  /** The request is well-formed, but its content is invalid: malformed identifier, impossible date range. */
  UNPROCESSABLE: 422,
  /** The Idempotency-Key was used before with another body. Use a new key. */
  IDEMPOTENCY_MISMATCH: 422,
  /** The screener query has a syntax error. position, expected and suggestion say where and how to fix it. */
  QUERY_SYNTAX: 422,
  /** The screener query is too expensive. Narrow it by an indexed field. */
  QUERY_TOO_EXPENSIVE: 422,
  /** A daily or burst limit or a daily budget is used up, or too many calls came without valid credentials. Wait for Retry-After. */
  RATE_LIMITED: 429,
  /** The account already runs as many searches, feeds or exports at once as its plan allows. Wait for Retry-After. */
  TOO_MANY_CONCURRENT: 429,
  /** Too many wrong keys or tokens; the right one still gets in. Send that, or wait for Retry-After. */
  LOGIN_THROTTLED: 429,
  /** An internal error. Report the request_id. */
  INTERNAL: 500,
  /** The database is temporarily unavailable. Try again after Retry-After. */
  UNAVAILABLE: 503,
  /** The database is read-only: its address is that of a standby, or writing was switched off. Try again after Retry-After. */
  NOT_WRITABLE: 503,
  /** The server is overloaded; nothing was done. Try again after Retry-After. */
  SERVICE_BUSY: 503,
  /** This PANJI_SECRET_KEY does not match the database. Restore the key that it was sealed under. */
  SECRET_KEY_WRONG: 503,
  /** The seller is not configured, so nothing can be invoiced or sold for money. Set PANJI_SELLER_NAME, _ADDRESS and _GSTIN. */
  SELLER_MISSING: 501,
  /** The payment processor does not answer; nothing was charged. Try again after Retry-After. */
  PAYMENT_UNAVAILABLE: 503,
  /** The payment processor rejects the shop's key; nothing was charged. The operator fixes PANJI_RAZORPAY_KEY_ID and its secret. */
  PAYMENT_KEY_REFUSED: 503,
  /** The payment processor is limiting calls; nothing was charged. Try again after Retry-After. */
  PAYMENT_LIMITED: 503,
  /** The payment processor does not accept this payment, for example because its amount is too small. The message says why. */
  PAYMENT_REFUSED: 422,
  /** The database's disk is full. Free some space; waiting work is retried automatically. */
  DATABASE_FULL: 503,
  /** Environment variables or a configuration file are wrong. The message lists every fault. */
  CONFIG_INVALID: 500,
  /** The command found no Panji, and only `start`, `migrate` and `restore` create one. Name the right PANJI_DATA_DIR or DATABASE_URL. */
  NO_INSTANCE: 500,
  /** The backup is truncated, altered, or not a backup of Panji; nothing was restored. The message says what does not match. */
  BACKUP_INVALID: 422,
  /** A backup is only restored into an empty place, and never overwrites another file. Use the option that allows it if you mean it. */
  BACKUP_REFUSED: 409,
  /** The server cannot listen: its port is in use, or its address does not belong to this machine. The message names the variable. */
  LISTEN_FAILED: 500,
  /** The database of DATABASE_URL accepts no connection: it does not exist, or rejects the login. The message says which. */
  DATABASE_UNREACHABLE: 503,
  /** The database of DATABASE_URL cannot be used for Panji: its encoding is not UTF8, it has schemas of another program, or a restore into it has not been completed. The message says which. */
  DATABASE_UNSUITABLE: 500,
  /** A pooler before the database shares sessions between connections. Set its pool_mode to session, or connect to PostgreSQL itself. */
  POOLER_UNSUITABLE: 503,
  /** The database's login lacks rights that the work of this process needs; the message names them. Run `panji migrate`, or grant the login its role. */
  DATABASE_RIGHTS_MISSING: 500,
  /** Another Panji already runs on this data directory. Stop it, or use another PANJI_DATA_DIR. */
  DATA_DIR_IN_USE: 500,
  /** The embedded database did not start. The message has the end of its log. */
  DATABASE_START_FAILED: 500,
  /** The database was migrated by a newer Panji. Upgrade this one. */
  SCHEMA_TOO_NEW: 500,
  /** The database or the backup is from before 0.1.0. Start with an empty database or data directory, and import the snapshots again. */
  SCHEMA_TOO_OLD: 500,
  /** The database lacks migrations of this Panji, and only `start`, `migrate` and `restore` apply any where other processes may use it. Run `panji migrate`. */
  SCHEMA_BEHIND: 500,
  /** The snapshot could not be fetched: missing, empty, unreachable, too large. */
  SOURCE_UNREADABLE: 422,
  /** The snapshot's container is broken: truncated gzip, corrupt zip, binary content. */
  SOURCE_CORRUPT: 422,
  /** The process that reads a packed or parsed format ended, or exceeded its limit of memory, time or output. Nothing was applied; ingest the content as CSV. */
  PARSER_STOPPED: 422,
  /** The header line is none that the source declares. The message names what is missing. */
  HEADER_MISMATCH: 422,
  /** The snapshot has more rejects than its source allows, or most of a delta is rejected; the run stopped there. See `panji rejects`. */
  TOO_MANY_REJECTS: 422,
  /** The order's leads are still being built. A push waits for them automatically; request a plan again in a moment. */
  LEADS_NOT_READY: 409,
  /** Another run of the same source is in progress. Wait for it. */
  RUN_IN_PROGRESS: 409,
  /** Other runs of the source were applied since; the message names them. Discard the run, or supersede them. */
  RUN_OVERTAKEN: 409,
  /** All of the snapshot is older than what the register has, so nothing was ingested. Give the day that it describes, or use --allow-stale. */
  SNAPSHOT_STALE: 409,
  /** The job's lease passed to another worker; this attempt wrote nothing more. */
  LEASE_LOST: 409,
  /** The destination's settings are invalid or rejected by the CRM. Fix them with `panji destination add`. */
  DESTINATION_INVALID: 422,
  /** The CRM is temporarily unavailable. Panji retries automatically. */
  CRM_UNAVAILABLE: 503,
  /** The CRM has no capacity left: storage is full or licences are used up. Free some there; Panji continues automatically. */
  CRM_LIMIT_REACHED: 503,
  /** The CRM rejected some leads for good. `panji deliveries list --outcome rejected` names each with its reason. */
  LEADS_REJECTED: 422,
  /** Sign-in links are not sent here. Sign in with an API key, or have the operator set PANJI_SMTP_URL, PANJI_SMTP_FROM and PANJI_PUBLIC_URL. */
  MAIL_UNAVAILABLE: 501,
  /** The OIDC provider is not responding correctly, or too many people are signing in at once. Try again, or sign in with a link. */
  OIDC_UNAVAILABLE: 503,
  /** Signing in at the CRM's own page is not configured. Paste credentials, or have the operator set PANJI_PUBLIC_URL and PANJI_CRM_APPS. */
  CONNECT_UNAVAILABLE: 501,
  /** A command that checks or compares found a problem. The findings are printed with the error. */
  CHECK_FAILED: 422,
  /** The file system refused a file or folder that a command had to read or write. The message names it and says why. */
  FILE_REFUSED: 500,
  /** The CRM rejects the credentials. Renew them with `panji destination update`; the destination waits. */
  CRM_UNAUTHORIZED: 422,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof errorCodes

export interface AppErrorOptions {
  /** Default 'never'. */
  readonly retry?: Retry
  readonly cause?: unknown
  /** Extra members of the error body, for example `dataset`, `position`, `suggestion`. Never secrets. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** Seconds for the Retry-After header. */
  readonly retryAfterSeconds?: number
}

export class AppError extends Error {
  readonly code: ErrorCode
  readonly httpStatus: number
  readonly retry: Retry
  readonly extra: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.httpStatus = errorCodes[code]
    this.retry = options.retry ?? 'never'
    this.extra = options.extra ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

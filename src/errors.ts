/**
 * The one error class of Panji and the list of its codes.
 *
 * A code's doc comment holds its meaning and its remedy; `docs/errors.md` is generated from this file and a
 * test holds the two together. Two translators read an AppError: `src/api/error-reply.ts` for HTTP and
 * `src/queue/worker.ts` for jobs. Nobody else catches, except to add a cause and throw again.
 */

/**
 * What the job translator does: dead letter, retry with backoff, a successor job after a delay, or successors after growing
 * pauses for as long as it takes, which use up no attempt: somebody has to come and fix it.
 */
export type Retry = 'never' | 'later' | 'patiently' | Later

export interface Later {
  readonly afterMs: number
  /** Nothing failed: a quota is used up until then. */
  readonly isQuota?: true
}

export const errorCodes = {
  /** The request's shape is wrong: JSON, a missing, mistyped or out-of-range parameter. Fix the request. */
  BAD_REQUEST: 400,
  /** The act was not confirmed, and nothing was changed. To erase an account send {"confirm": "<e-mail of the account>"}; to a command that asks answer y, or say --yes, which it needs where there is no terminal. */
  CONFIRMATION_REQUIRED: 400,
  /** The account has fewer credits than the order costs; nothing was written. Add credits or order less. */
  INSUFFICIENT_CREDITS: 400,
  /** No valid bearer token came with the call. Log in at POST /api/auth/login and send the access token. */
  UNAUTHENTICATED: 401,
  /** A raw API key was sent as bearer. Exchange it at POST /api/auth/login first: `exchange` is the call, ready to paste with the key in PANJI_API_KEY. */
  API_KEY_AS_BEARER: 401,
  /** The access token has expired. Refresh it at POST /api/auth/refresh-token. */
  TOKEN_EXPIRED: 401,
  /** The API key is unknown, expired or revoked. Check the key or create a new one. */
  INVALID_API_KEY: 401,
  /** The refresh token is unknown, expired or revoked. Log in again with the API key. */
  INVALID_REFRESH_TOKEN: 401,
  /** A notice to the payment webhook does not carry the processor's signature of its body. */
  WEBHOOK_SIGNATURE_INVALID: 401,
  /** The code of the mailed link is unknown, was used, or has had its time. Ask for another link, or sign in with an API key. */
  INVALID_SIGN_IN_CODE: 401,
  /** The operator token is missing, wrong or revoked. Send PANJI_OPERATOR_TOKEN, or the token of a named operator, as bearer. */
  OPERATOR_TOKEN_REQUIRED: 401,
  /** The operator, or the person, has a second factor: token or link let in with a code of the authenticator, each code once. Sign in with `totp`. */
  SECOND_FACTOR_REQUIRED: 401,
  /** The token was not issued for the developer API. Log in with an API key. */
  WRONG_AUDIENCE: 403,
  /** The account is suspended. Ask the operator. */
  ACCOUNT_SUSPENDED: 403,
  /** No active plan grants the dataset. See GET /api/access. */
  NO_DATASET_ACCESS: 403,
  /** The requested state, district or pincode lies outside the entitled territory. See GET /api/access. */
  TERRITORY_NOT_ENTITLED: 403,
  /** The session's key has not the scope that the call needs; missing_scopes names it. Log in with a key that has it. */
  SCOPE_MISSING: 403,
  /** Your role in the account does not allow the call; needed_role names the one that does. Ask an admin of the account. */
  ROLE_MISSING: 403,
  /** Your account asks its people for a second factor, and you have none yet. Add one on the page Team, or at POST /api/second-factor. */
  SECOND_FACTOR_MISSING: 403,
  /** Nobody was signed in at the OIDC provider: the sign-in was begun elsewhere or not finished, or no person has the verified address. */
  OIDC_REFUSED: 403,
  /** What cannot be taken back needs a login of the last five minutes. Exchange the API key anew at POST /api/auth/login. */
  FRESH_LOGIN_REQUIRED: 403,
  /** A browser's cookie came without the X-CSRF-Token of its session, or from a page of another origin. GET the session to read its csrf_token. */
  CSRF_TOKEN_MISSING: 403,
  /** The operator's role does not allow the call; required_role names the one that does. Ask an owner. */
  OPERATOR_ROLE_MISSING: 403,
  /** The operator has blocked the address, or it sent too many wrong keys and this one is wrong too. Ask the operator to unblock it. */
  ADDRESS_BLOCKED: 403,
  /** The resource does not exist, or belongs to another account. Check the id. */
  NOT_FOUND: 404,
  /** The path exists, but not with this method. The Allow header names those that do. */
  METHOD_NOT_ALLOWED: 405,
  /** The request contradicts the resource's present state, for example cancelling a paid order. */
  CONFLICT: 409,
  /** A request with the same Idempotency-Key is still running. Try again shortly. */
  IDEMPOTENCY_IN_PROGRESS: 409,
  /** The account has stored as much of `quota` as its plan allows. Delete some, or ask for a larger plan. */
  QUOTA_EXCEEDED: 409,
  /** The day lies before the history that is kept. Ask for `retained_from` or later. */
  HISTORY_NOT_RETAINED: 410,
  /** The body is larger than is read here: 16 KiB and what the operation's lists and texts need, at most 1 MiB. Send less. */
  PAYLOAD_TOO_LARGE: 413,
  /** Only application/json is read. Set Content-Type. */
  UNSUPPORTED_MEDIA_TYPE: 415,
  /** The request's shape is right, its content is not: malformed identifier, impossible date range. */
  UNPROCESSABLE: 422,
  /** The Idempotency-Key was used before with another body. Use a new key. */
  IDEMPOTENCY_MISMATCH: 422,
  /** The screener query cannot be read. position, expected and suggestion say where and how to fix it. */
  QUERY_SYNTAX: 422,
  /** The screener query would cost too much. Narrow it by an indexed field. */
  QUERY_TOO_EXPENSIVE: 422,
  /** A daily or burst limit or a daily budget is used up, or too many calls came without valid credentials. Wait for Retry-After. */
  RATE_LIMITED: 429,
  /** The account has as many searches, feeds or exports under way as its plan allows at once. Wait for Retry-After. */
  TOO_MANY_CONCURRENT: 429,
  /** Too many wrong keys or tokens; the right one still gets in. Send that, or wait for Retry-After. */
  LOGIN_THROTTLED: 429,
  /** A fault of ours. Report the request_id. */
  INTERNAL: 500,
  /** The database is away for a moment. Try again after Retry-After. */
  UNAVAILABLE: 503,
  /** The database takes reads alone: a standby stands at its address, or writing was switched off. Try again after Retry-After. */
  NOT_WRITABLE: 503,
  /** The server has more to do than it can; nothing was done. Try again after Retry-After. */
  SERVICE_BUSY: 503,
  /** What is sealed in the database does not open with this PANJI_SECRET_KEY. Restore the key that it was sealed under. */
  SECRET_KEY_WRONG: 503,
  /** Who sells is not configured, so nothing can be invoiced or sold for money. Set PANJI_SELLER_NAME, _ADDRESS and _GSTIN. */
  SELLER_MISSING: 501,
  /** The payment processor does not answer; nothing was charged. Try again after Retry-After. */
  PAYMENT_UNAVAILABLE: 503,
  /** The payment processor refuses the shop's key; nothing was charged. The operator fixes PANJI_RAZORPAY_KEY_ID and its secret. */
  PAYMENT_KEY_REFUSED: 503,
  /** The payment processor takes no more calls for a moment; nothing was charged. Try again after Retry-After. */
  PAYMENT_LIMITED: 503,
  /** The payment processor does not take this payment, for example since its amount is too small. The message says why. */
  PAYMENT_REFUSED: 422,
  /** The database's disk is full. Free space; work that waits is retried automatically. */
  DATABASE_FULL: 503,
  /** Environment variables or a configuration file are wrong. The message lists every fault. */
  CONFIG_INVALID: 500,
  /** No Panji lies where the command looked, and only `start`, `migrate` and `restore` make one. Name the right PANJI_DATA_DIR or DATABASE_URL. */
  NO_INSTANCE: 500,
  /** The backup is cut off, altered, or no backup of Panji; nothing was restored. The message says what does not fit. */
  BACKUP_INVALID: 422,
  /** A backup is restored into an empty place only, and never written over another file. Say so where it is meant. */
  BACKUP_REFUSED: 409,
  /** The server cannot listen: its port is taken, or its address is none of this machine. The message names the variable. */
  LISTEN_FAILED: 500,
  /** The database of DATABASE_URL takes no connection: it is not there, or refuses the login. The message says which. */
  DATABASE_UNREACHABLE: 503,
  /** The database of DATABASE_URL is none to make Panji in: its encoding is not UTF8, or another program's schemas stand there. The message says which. */
  DATABASE_UNSUITABLE: 500,
  /** A pooler before the database shares sessions between connections. Set its pool_mode to session, or connect to PostgreSQL itself. */
  POOLER_UNSUITABLE: 503,
  /** The database's login lacks rights that the work of this process needs; the message names them. Run `panji migrate`, or grant the login its role. */
  DATABASE_RIGHTS_MISSING: 500,
  /** Another Panji already runs on this data directory. Stop it, or use another PANJI_DATA_DIR. */
  DATA_DIR_IN_USE: 500,
  /** The embedded database did not start. The message holds the end of its log. */
  DATABASE_START_FAILED: 500,
  /** The database was migrated by a newer Panji. Upgrade this one. */
  SCHEMA_TOO_NEW: 500,
  /** The database or the backup is from before 0.1.0. Begin with an empty database or data directory, and import the snapshots again. */
  SCHEMA_TOO_OLD: 500,
  /** The snapshot could not be fetched: missing, empty, unreachable, too large. */
  SOURCE_UNREADABLE: 422,
  /** The snapshot's container is broken: truncated gzip, corrupt zip, binary content. */
  SOURCE_CORRUPT: 422,
  /** The process that reads a packed or parsed format ended, or went over its ceiling of memory, time or output. Nothing was applied; ingest the content as CSV. */
  PARSER_STOPPED: 422,
  /** The header line is not one that the source declares. The message names what is missing. */
  HEADER_MISMATCH: 422,
  /** The snapshot has more rejects than its source may have at all, or most of a delta is rejected; the run stopped there. See `panji rejects`. */
  TOO_MANY_REJECTS: 422,
  /** The order's leads are still being built by a job on its way. A push waits for them automatically; a plan is asked for again in a moment. */
  LEADS_NOT_READY: 409,
  /** Another run of the same source is in progress. Wait for it. */
  RUN_IN_PROGRESS: 409,
  /** Other runs of the source were applied since; the message names them. Discard the run, or say that it shall supersede them. */
  RUN_OVERTAKEN: 409,
  /** All of the snapshot is older than what the register holds, so nothing was ingested. Give the day that it describes, or --allow-stale. */
  SNAPSHOT_STALE: 409,
  /** The job's lease passed to another worker; this attempt wrote nothing more. */
  LEASE_LOST: 409,
  /** The destination's settings are wrong or refused by the CRM. Fix them with `panji destination add`. */
  DESTINATION_INVALID: 422,
  /** The CRM refused for now. Panji retries automatically. */
  CRM_UNAVAILABLE: 503,
  /** The CRM has no room for more: storage is full or licences are used up. Make room there; Panji continues automatically. */
  CRM_LIMIT_REACHED: 503,
  /** Some leads were refused by the CRM for good. `panji deliveries list --outcome rejected` names each with its reason. */
  LEADS_REJECTED: 422,
  /** Links to sign in are not sent here. Sign in with an API key, or have the operator set PANJI_SMTP_URL, PANJI_SMTP_FROM and PANJI_PUBLIC_URL. */
  MAIL_UNAVAILABLE: 501,
  /** The OIDC provider does not answer as it should, or too many sign in at once. Try again, or sign in by a link. */
  OIDC_UNAVAILABLE: 503,
  /** Signing in at the CRM's own page is not configured. Paste credentials, or have the operator set PANJI_PUBLIC_URL and PANJI_CRM_APPS. */
  CONNECT_UNAVAILABLE: 501,
  /** A command that compares found that something is not as it should be. What it found stands beside the error. */
  CHECK_FAILED: 422,
  /** The file system refused a file or folder that a command was to read or write. The message names it and says why. */
  FILE_REFUSED: 500,
  /** The CRM's credentials are refused. Renew them with `panji destination update`; the destination waits. */
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

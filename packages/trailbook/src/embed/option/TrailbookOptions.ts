import type { BeforeHooks } from "../hook/BeforeHooks.ts"
import type { Scope, Source } from "../Outfitter.ts"
import type { Drafter, Files, LanguageModel, Mailer, Notifier } from "../service/hostServices.ts"
import type { Payments } from "../service/Payments.ts"
import type { Weather } from "../service/Weather.ts"

/**
 * The options of `createTrailbook`. An omitted option always takes its default, because Trailbook does not read the
 * environment.
 */
export interface TrailbookOptions {
  /**
   * The database: `sqlite:<file>`, `postgres://…` with the parameters `schema` and `prepare`, or
   * `postgres({ pool, schema })` for an existing pool. `:memory:` keeps all data in this process, for tests.
   */
  readonly database: string | PostgresDatabase
  /**
   * The default outfitter. Its operations are methods of the `Trailbook` object. Pass the outfitter's slug, its ID, or
   * its details. If you pass details and the database has no outfitter, Trailbook creates one. Once the outfitter
   * exists, the details are ignored. Use `org.update` to change them. Details can be used only if the database has at
   * most one outfitter.
   */
  readonly org?: string | OrgDetails | undefined
  /**
   * `automatic` applies pending migrations when the database is opened. `manual` fails if migrations are pending. Apply
   * them with `migrate()` or with the output of `trailbook migrate --print`. Default: `automatic`.
   */
  readonly migrations?: "automatic" | "manual" | undefined
  /**
   * The time in epoch milliseconds, for tests. Worker leases always use the database's clock. Default: the system
   * clock, or the database's clock on Postgres.
   */
  readonly clock?: Clock | (() => number) | undefined
  /** Sends email to guests. With `"none"`, no email is sent. The worker requires this option. */
  readonly mailer?: Mailer | "none" | undefined
  /** Notifies staff members. Default: email through `mailer`. */
  readonly notifier?: Notifier | undefined
  /**
   * The host application's public URL, such as `https://book.example.com`. Links in emails start with it, followed by
   * `http.basePath` if `handler` serves the linked page. Required with a `mailer`.
   */
  readonly publicUrl?: string | undefined
  /** Online payment. Without this option, bookings are confirmed without payment. */
  readonly payments?: Payments | undefined
  /** Custom rules that run before an operation commits. */
  readonly before?: BeforeHooks | undefined
  /** Webhook delivery. Without this option, outfitters cannot add webhooks, but they can still read events. */
  readonly webhooks?: WebhookOptions | undefined
  /**
   * Storage for message attachments: the path of a directory, or a custom implementation. Without this option,
   * attachments are refused and `handler` has no routes for them.
   */
  readonly files?: Files | string | undefined
  /**
   * Replies by email. Guests and staff reply to addresses at this domain, and `handler` receives the replies. The
   * worker adds these addresses to outgoing email. Without this option, email replies are not received.
   */
  readonly replies?: RepliesOptions | undefined
  /** The writer of reply drafts: a language model or a custom function. Without this option, drafts are off. */
  readonly drafter?: Drafter | LanguageModel | undefined
  /**
   * Weather and river data for the ops agent. Without this option, the agent does not cancel trips because of the
   * weather.
   */
  readonly weather?: Weather | undefined
  /** Options for `handler`. */
  readonly http?: HttpOptions | undefined
  /**
   * Receives log entries as lines of JSON. They contain no guest names, addresses, or keys. Default: writes the lines
   * to stderr.
   */
  readonly log?: ((line: string) => void) | undefined
  /** The minimum level to log. `info` logs each request. Default: `warn`. */
  readonly logLevel?: "debug" | "info" | "warn" | "error" | "silent" | undefined
}

export interface Clock {
  readonly now: () => number
}

/** The details of a new outfitter. */
export interface OrgDetails {
  readonly name: string
  /** An IANA time zone name, such as `America/Denver`. Local times and dates are interpreted in this time zone. */
  readonly timezone: string
  /** An ISO 4217 code in lowercase. Default: `usd`. */
  readonly currency?: string | undefined
  /** Online payment requires `pro`. Default: `free`. */
  readonly plan?: "free" | "pro" | undefined
  /** The email address of the first staff member, who is notified when a guest writes. */
  readonly email?: string | undefined
}

export interface WebhookOptions {
  /**
   * The keys that encrypt webhook signing secrets, in the format that `trailbook secrets generate` prints:
   * `k1:<base64>`. If there are several keys, the first one encrypts new secrets. All processes on a database need the
   * same keys.
   */
  readonly keys: string
  /** Non-public networks that webhooks may target, such as `10.0.0.0/8`. */
  readonly allow?: ReadonlyArray<string> | undefined
}

export interface RepliesOptions {
  /** A dedicated domain, such as `reply.example.com`, whose email is routed to your mail provider. */
  readonly domain: string
  /** 32 to 128 letters, digits, `-`, and `_`. The provider posts emails to `<basePath>/mail/in/<secret>`. */
  readonly secret: string
}

export interface HttpOptions {
  /** The path where the handler is mounted. With `/booking`, the REST API is at `/booking/v1`. */
  readonly basePath?: string | undefined
  /**
   * The surfaces to serve. `rest` is the REST API, and `mcp` serves MCP clients at `/mcp`. `pages` are the booking
   * pages at `/book/{slug}`, and `widget` embeds them in other websites, so it requires `pages`. `dashboard` is the
   * staff dashboard with sign-in at `/sign-in` and OAuth consent for MCP clients. Default: `["rest"]`.
   */
  readonly surfaces?: ReadonlyArray<"rest" | "mcp" | "pages" | "widget" | "dashboard"> | undefined
  /**
   * Custom authentication. The function returns a request's identity, or `null` if the request is not signed in. It
   * must not read the body. Without this option, requests need an API key. With this option, state-changing requests
   * from other origins are refused.
   */
  readonly authorize?: ((request: Request) => AuthorizedCaller | null | Promise<AuthorizedCaller | null>) | undefined
  /** Additional origins that may send state-changing requests, such as `https://app.example.com`. */
  readonly trustedOrigins?: ReadonlyArray<string> | undefined
  /**
   * Requests per second per API key, with bursts of up to twice that. 0 disables the limit. Default: 100, or no limit
   * with `authorize`.
   */
  readonly rateLimitPerSecond?: number | undefined
}

export interface AuthorizedCaller {
  /** The slug or ID of the outfitter. Optional if the `org` option is set. */
  readonly org?: string | undefined
  readonly scopes: ReadonlyArray<Scope>
  /** Default: `api`. */
  readonly source?: Source | undefined
  /**
   * The staff member who sends the request. The dashboard opens for this member without another sign-in. An unknown
   * email address is added as a new staff member with notifications off. The role applies to this request and is
   * stored, but the last owner stays an owner.
   */
  readonly staff?: {
    readonly email: string
    readonly role: "owner" | "staff"
    readonly name?: string | undefined
  } | undefined
}

/** A Postgres database accessed through the host application's pool. */
export interface PostgresDatabase {
  /** A `pg` pool, version 8.23 or later. Trailbook never ends the pool. */
  readonly pool: PgPool
  /** The schema for the tables. Trailbook creates the schema if it does not exist. Default: `trailbook`. */
  readonly schema?: string | undefined
  /** Set to `false` behind a pooler in transaction mode that does not support prepared statements. */
  readonly prepare?: boolean | undefined
}

/** The part of `pg.Pool` that identifies a pool. */
export interface PgPool {
  connect(): Promise<{ release(destroy?: boolean): void }>
  readonly totalCount: number
}

/** Creates a value for the `database` option from a pool. */
export const postgres = (database: PostgresDatabase): PostgresDatabase => database

import type { Before } from "./Before.ts"
import type { Drafter, LanguageModel } from "./Drafter.ts"
import type { Files } from "./Files.ts"
import type { HttpOptions } from "./HttpOptions.ts"
import type { Mailer } from "./Mailer.ts"
import type { Notifier } from "./Notifier.ts"
import type { Payments } from "./Payments.ts"
import type { PostgresDatabase } from "./postgres.ts"
import type { Weather } from "./Weather.ts"

/** Nothing is read from the environment: what is not said here has its default. */
export interface TrailbookOptions {
  /**
   * Where the data is: `sqlite:<file>`, `postgres://…` with the parameters `schema` and `prepare`, or
   * `postgres({ pool, schema })` for a pool that is there already. `:memory:` keeps everything in this process, for
   * tests.
   */
  readonly database: string | PostgresDatabase
  /**
   * Whose program this is, where it is one outfitter's: then the operations are there without `forOrg`. By slug or id;
   * or by what its account is opened with, for a database that has at most one outfitter. Once there is one these
   * details are not looked at any more; `org.update` changes them.
   */
  readonly org?: string | OrgDetails | undefined
  /**
   * Whether opening the database brings its tables up to date. `manual` refuses to work on tables that are not; they
   * are brought up to date by `migrate()`, or by what `trailbook migrate --print` prints.
   */
  readonly migrations?: "automatic" | "manual" | undefined
  /**
   * Epoch milliseconds. For tests; leases of the worker go by the clock of the database, and so does everything on Postgres
   * where this is left out.
   */
  readonly clock?: Clock | (() => number) | undefined
  /** How mails to guests leave; `"none"` when Trailbook shall write to nobody. The worker wants to know. */
  readonly mailer?: Mailer | "none" | undefined
  /** How the outfitter's people are told of what happens; by `mailer` when it is left out. */
  readonly notifier?: Notifier | undefined
  /**
   * Where your program is reached, such as `https://book.example.com`. Links in mails begin with it, and with
   * `http.basePath` behind it where `handler` serves the page that they lead to.
   */
  readonly publicUrl?: string | undefined
  /** Online payment. Without it bookings are confirmed without being paid. */
  readonly payments?: Payments | undefined
  /** Rules of your own, asked before something is done. */
  readonly before?: Before | undefined
  /** Webhooks. Without it none can be added; the events are there to be read. */
  readonly webhooks?: WebhookOptions | undefined
  /**
   * Where the files of messages are: the path of a folder, or a place of your own. Without it none are taken, and
   * `handler` has no addresses for them.
   */
  readonly files?: Files | string | undefined
  /**
   * Answers by mail. Guests and staff then answer to addresses of this domain, and `handler` takes their mails in; the
   * worker writes the addresses into what it sends. Without it nobody can answer.
   */
  readonly replies?: RepliesOptions | undefined
  /** Who words drafts of replies: a language model, or a function of your own. Without it there are none. */
  readonly drafter?: Drafter | LanguageModel | undefined
  /** What the ops agent knows of the weather by. Without it no trip is cancelled over the weather. */
  readonly weather?: Weather | undefined
  /** For `handler`. */
  readonly http?: HttpOptions | undefined
  /** Takes lines of JSON. They go to stderr when nothing is said. They name no guests, addresses or keys. */
  readonly log?: ((line: string) => void) | undefined
  /** What is logged. `warn` when nothing is said; `info` has a line for every request. */
  readonly logLevel?: "debug" | "info" | "warn" | "error" | "silent" | undefined
}

export interface Clock {
  readonly now: () => number
}

/** What an outfitter's account is opened with. */
export interface OrgDetails {
  readonly name: string
  /** A name of the IANA time zone database, such as `America/Denver`. Hours and dates are read in it. */
  readonly timezone: string
  /** An ISO 4217 code in lowercase; `usd` when nothing is said. */
  readonly currency?: string | undefined
  /** `free` when nothing is said. Online payment is of `pro`. */
  readonly plan?: "free" | "pro" | undefined
  /** The first of the staff, who gets a mail when a guest writes. */
  readonly email?: string | undefined
}

export interface WebhookOptions {
  /**
   * What signing secrets are sealed with, as `trailbook secrets generate` makes it: `k1:<base64>`, the first of several
   * seals. The same for every process on a database.
   */
  readonly keys: string
  /** Networks such as `10.0.0.0/8` that webhooks may lead to although they are not public. */
  readonly allow?: ReadonlyArray<string> | undefined
}

export interface RepliesOptions {
  /** A domain of its own, such as `reply.example.com`, whose mail goes to your mail provider. */
  readonly domain: string
  /** 32 to 128 letters, digits, `-` and `_`. The provider posts mails to `<basePath>/mail/in/<secret>`. */
  readonly secret: string
}

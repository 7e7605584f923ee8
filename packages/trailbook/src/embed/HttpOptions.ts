import type { Scope, Source } from "./Outfitter.ts"

export interface HttpOptions {
  /** Where the handler is mounted, such as `/booking`: the REST API is then at `/booking/v1`. */
  readonly basePath?: string | undefined
  /**
   * What is served: the REST API, an address for assistants at `/mcp`, the pages that guests see (`/book/{slug}`), the
   * widget with which other websites show them, which needs `pages` too, and the pages of the staff, who sign in at
   * `/sign-in` and let assistants in. `["rest"]` when nothing is said.
   */
  readonly surfaces?: ReadonlyArray<"rest" | "mcp" | "pages" | "widget" | "dashboard"> | undefined
  /**
   * Your own sign-in: says for whom a request acts, or `null` for nobody. It must leave the body unread. Without it
   * requests carry an API key. With it pages of other sites may not change anything.
   */
  readonly authorize?: ((request: Request) => Authorized | null | Promise<Authorized | null>) | undefined
  /** Other origins whose pages may, such as `https://app.example.com`. */
  readonly trustedOrigins?: ReadonlyArray<string> | undefined
  /** Requests a second of one API key, with bursts of twice as many; 0 sets no limit. 100 when nothing is said. */
  readonly rateLimitPerSecond?: number | undefined
}

export interface Authorized {
  /** An outfitter's slug or id. It may be left out when the option `org` says whose program this is. */
  readonly org?: string | undefined
  readonly scopes: ReadonlyArray<Scope>
  /** `api` when nothing is said. */
  readonly source?: Source | undefined
  /**
   * Who of the outfitter's people it is: the dashboard opens for them, without another sign-in. Whoever is not on the
   * staff is put on it, and the role is as you say it each time.
   */
  readonly staff?: {
    readonly email: string
    readonly role: "owner" | "staff"
    readonly name?: string | undefined
  } | undefined
}

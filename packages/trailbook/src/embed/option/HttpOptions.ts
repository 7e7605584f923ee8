import type { Scope, Source } from "../Outfitter.ts"

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
  readonly authorize?: ((request: Request) => Authorized | null | Promise<Authorized | null>) | undefined
  /** Additional origins that may send state-changing requests, such as `https://app.example.com`. */
  readonly trustedOrigins?: ReadonlyArray<string> | undefined
  /**
   * Requests per second per API key, with bursts of twice that. 0 disables the limit. Default: 100, or no limit with
   * `authorize`.
   */
  readonly rateLimitPerSecond?: number | undefined
}

export interface Authorized {
  /** The slug or ID of the outfitter. Optional if the `org` option is set. */
  readonly org?: string | undefined
  readonly scopes: ReadonlyArray<Scope>
  /** Default: `api`. */
  readonly source?: Source | undefined
  /**
   * The staff member who sends the request. The dashboard opens for this member without another sign-in. An unknown
   * email address is added as a new staff member with notifications off. The role applies to the request and is stored,
   * except that the last owner remains an owner.
   */
  readonly staff?: {
    readonly email: string
    readonly role: "owner" | "staff"
    readonly name?: string | undefined
  } | undefined
}

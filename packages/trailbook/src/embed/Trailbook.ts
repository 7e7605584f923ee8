import type { Org } from "@trailbook/client/operations"
import type { Outfitter, Scope } from "./Outfitter.ts"
import type { OrgDetails } from "./TrailbookOptions.ts"

/** Trailbook inside another program. */
export interface Trailbook {
  /** The outfitters of the database. */
  readonly orgs: Orgs
  /** The outfitters' people, who get a mail when a guest writes. */
  readonly staff: Staff
  /** API keys: for callers over HTTP. Inside the program nobody needs one. */
  readonly keys: Keys
  /** The outfitter with this slug or id. Rejected with `not_found` when there is none. */
  readonly forOrg: (slugOrId: string) => Promise<Outfitter>
  /** Answers requests, as the option `http` says. It never rejects. */
  readonly handler: (request: Request, connection?: Connection) => Promise<Response>
  /** What runs by itself: mails, webhooks, refunds, holds that ran out, and what `on` was given. Nothing does until it is started here. */
  readonly worker: Worker
  /** Brings the tables up to date, and says by name which changes that took. Safe to repeat, and in several processes at once. */
  readonly migrate: () => Promise<ReadonlyArray<string>>
  /**
   * Ends the worker and the iterations of events, lets what is under way come to its
   * end, and gives the database back. A pool that was given is not ended.
   */
  readonly close: () => Promise<void>
}

/** What a web server knows of a request besides the request. */
export interface Connection {
  /** Failed keys are limited by it; without it they are limited together. */
  readonly remoteAddress?: string | undefined
}

export interface Orgs {
  /** Opens an outfitter's account. */
  readonly create: (given: OrgDetails) => Promise<Org>
  readonly get: (slugOrId: string) => Promise<Org>
  /** All of them, oldest first. */
  readonly list: () => Promise<ReadonlyArray<Org>>
}

/**
 * `org` is an outfitter's slug or id. It may be left out when the option `org`
 * says whose program this is.
 */
export interface Keys {
  /** Makes a key. `api_key` is the whole of it, shown this one time. */
  readonly create: (given: KeyDetails) => Promise<Key & { readonly api_key: string }>
  /** Oldest first, revoked ones included. */
  readonly list: (given?: { readonly org?: string | undefined }) => Promise<ReadonlyArray<Key>>
  /** From the next request on the key opens nothing. Safe to repeat. */
  readonly revoke: (given: { readonly id: string; readonly org?: string | undefined }) => Promise<Key>
}

export interface KeyDetails {
  readonly org?: string | undefined
  /** For people: where the key is used. */
  readonly name: string
  /** All of them when nothing is said. */
  readonly scopes?: ReadonlyArray<Scope> | undefined
  /** An ISO 8601 instant with Z or an offset. */
  readonly expires_at?: string | undefined
  /** A key that begins with `tb_test_`. */
  readonly test?: boolean | undefined
}

/** `org` is an outfitter's slug or id, as for keys. */
export interface Staff {
  /**
   * Adds a person, or changes the fields given of the one who has this address. A
   * new person has no name and is notified when nothing else is said. At most 50 per
   * outfitter.
   */
  readonly add: (given: StaffDetails) => Promise<StaffMember>
  /** Oldest first. */
  readonly list: (given?: { readonly org?: string | undefined }) => Promise<ReadonlyArray<StaffMember>>
  /** Deletes a person, and answers with who it was. Rejected with `not_found` when nobody has the address. */
  readonly remove: (given: { readonly email: string; readonly org?: string | undefined }) => Promise<StaffMember>
}

export interface StaffDetails {
  readonly org?: string | undefined
  readonly email: string
  readonly name?: string | undefined
  /** An owner also decides who is in and what is connected; `staff`, when nothing is said of somebody new. */
  readonly role?: "owner" | "staff" | undefined
  /** Whether they get a mail when a guest writes. */
  readonly notify?: boolean | undefined
}

export interface StaffMember {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: "owner" | "staff"
  readonly notify: boolean
  readonly created_at: string
}

/** A key as it is listed: whoever sees this cannot use it. */
export interface Key {
  readonly id: string
  readonly name: string
  readonly mode: "live" | "test"
  readonly last4: string
  readonly scopes: ReadonlyArray<Scope>
  readonly created_at: string
  readonly expires_at: string | null
  readonly revoked_at: string | null
  readonly last_used_at: string | null
}

/** Any number of workers may run over one database, in as many processes. */
export interface Worker {
  /** Works until it is stopped or Trailbook is closed. One that runs goes on. */
  readonly start: () => Promise<void>
  /** Claims nothing more, and waits up to 10 seconds for what is under way. */
  readonly stop: () => Promise<void>
  /** Does what is due and says how much of each kind that was: for a timer of your own. */
  readonly runOnce: () => Promise<Readonly<Record<string, Readonly<Record<string, number>>>>>
}

import type { Org } from "@trailbook/client/operations"
import type { OrgDetails } from "./option/TrailbookOptions.ts"
import type { Outfitter, Scope } from "./Outfitter.ts"

/** Trailbook inside a host application. */
export interface Trailbook {
  /** The outfitters in the database. */
  readonly orgs: Orgs
  /** Staff members. A member with notifications on gets an email when a guest writes. */
  readonly staff: Staff
  /** API keys for HTTP callers. Calls inside the host application do not need a key. */
  readonly keys: Keys
  /** Returns the outfitter with the given slug or ID. Rejects with `not_found` if it does not exist. */
  readonly forOrg: (slugOrId: string) => Promise<Outfitter>
  /**
   * Handles HTTP requests as configured by the `http` option. The promise never rejects, because unexpected errors
   * become a response with status 500 or 503.
   */
  readonly handler: (request: Request, connection?: Connection) => Promise<Response>
  /**
   * Runs background jobs: email, webhooks, refunds, expired holds, and the handlers registered with `on`. Jobs run only
   * after `worker.start()` or during `worker.runOnce()`.
   */
  readonly worker: Worker
  /**
   * Applies pending migrations and returns their names. The call is idempotent, and several processes can migrate
   * concurrently.
   */
  readonly migrate: () => Promise<ReadonlyArray<string>>
  /**
   * Stops the worker and all event iterations, waits for running calls to finish, and closes the database. A pool that
   * was passed as an option stays open. The call is idempotent.
   */
  readonly close: () => Promise<void>
}

/** Information about a request's connection. */
export interface Connection {
  /**
   * The client address. Failed API key attempts are rate limited per address. Requests without an address share one
   * limit.
   */
  readonly remoteAddress?: string | undefined
}

export interface Orgs {
  /** Creates an outfitter. */
  readonly create: (input: OrgDetails) => Promise<Org>
  readonly get: (slugOrId: string) => Promise<Org>
  /** Returns all outfitters, oldest first. */
  readonly list: () => Promise<ReadonlyArray<Org>>
}

/** Manages API keys. `org` is the slug or ID of an outfitter. It is optional if the `org` option is set. */
export interface Keys {
  /** Creates an API key. `api_key` is the full key, which is never returned again. */
  readonly create: (input: KeyDetails) => Promise<Key & { readonly api_key: string }>
  /** Returns the keys, oldest first, including revoked ones. */
  readonly list: (input?: { readonly org?: string | undefined }) => Promise<ReadonlyArray<Key>>
  /** Revokes a key. The next request with the key is refused. The call is idempotent. */
  readonly revoke: (input: { readonly id: string; readonly org?: string | undefined }) => Promise<Key>
}

export interface KeyDetails {
  readonly org?: string | undefined
  /** A label that states where the key is used. */
  readonly name: string
  /** Default: all scopes. */
  readonly scopes?: ReadonlyArray<Scope> | undefined
  /** The expiration as an ISO 8601 instant with `Z` or an offset. Default: never. */
  readonly expires_at?: string | undefined
  /** Creates a test key, which starts with `tb_test_`. */
  readonly test?: boolean | undefined
}

/** Manages staff members. `org` is the slug or ID of an outfitter, as in {@link Keys}. */
export interface Staff {
  /**
   * Adds a staff member. If a member with this email address exists, updates the fields that are set. By default, a new
   * member has an empty name and notifications on. Rejects with `invalid_request` if the outfitter already has 50
   * members, or if the last owner would lose that role.
   */
  readonly add: (input: StaffDetails) => Promise<StaffMember>
  /** Returns the staff members, oldest first. */
  readonly list: (input?: { readonly org?: string | undefined }) => Promise<ReadonlyArray<StaffMember>>
  /**
   * Returns a dashboard link that signs a staff member in once, within 15 minutes. Give the link only to that person.
   * Rejects with `not_found` if the address is unknown, and with a `TypeError` if `publicUrl` is not set.
   */
  readonly signInLink: (input: { readonly email: string; readonly org?: string | undefined }) => Promise<string>
  /**
   * Removes a staff member and returns the removed record. Rejects with `not_found` if the address is unknown, and with
   * `invalid_request` for the last owner if other members exist.
   */
  readonly remove: (input: { readonly email: string; readonly org?: string | undefined }) => Promise<StaffMember>
}

export interface StaffDetails {
  readonly org?: string | undefined
  readonly email: string
  readonly name?: string | undefined
  /** An owner can also manage staff and connected services. Default for a new member: `staff`. */
  readonly role?: "owner" | "staff" | undefined
  /** Whether the member gets an email when a guest writes. */
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

/** An API key without its secret part. */
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

/** The background worker. Any number of workers, in any number of processes, can run on one database. */
export interface Worker {
  /**
   * Starts the worker, which runs until `stop()` or `close()`. Does nothing if the worker is running. Rejects with a
   * `TypeError` if `mailer` is not set, or if the database has webhooks and `webhooks` is not set.
   */
  readonly start: () => Promise<void>
  /** Stops claiming jobs and waits up to 10 seconds for running jobs to finish. */
  readonly stop: () => Promise<void>
  /** Runs all due jobs once and returns their counts by kind. Use it with an external timer. */
  readonly runOnce: () => Promise<Readonly<Record<string, Readonly<Record<string, number>>>>>
}

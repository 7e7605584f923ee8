import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { SecretLocation } from "../port/Secrets.ts"
import * as Instant from "../time/Instant.ts"
import * as Field from "../wire/Field.ts"
import { makeViewMapper } from "../wire/snakeCase.ts"
import { Id, Timestamp } from "../wire/View.ts"
import type { ProviderAccount } from "./PaymentProvider.ts"

/**
 * The payment provider account that receives an org's payments. A disconnected account opens no more checkouts, but it
 * is kept for refunds.
 */
export interface PaymentConnection {
  readonly id: string
  readonly orgId: string
  readonly provider: string
  readonly mode: ProviderAccount["mode"]
  /** The provider's ID for the account. */
  readonly accountId: string
  /** The display name. */
  readonly name: string
  /** The secret key, sealed by `Secrets`. */
  readonly sealedKey: string
  /** The sealed signing secret for the provider's webhooks. Null if Trailbook receives no webhooks. */
  readonly sealedNoticeSecret: string | null
  /** The account that a platform's key acts for. Null if the key belongs to the account itself. */
  readonly account: string | null
  /** The provider's ID for the webhook endpoint. Null if Trailbook did not register an endpoint. */
  readonly watchId: string | null
  readonly connectedAt: Instant.Instant
  readonly disconnectedAt: Instant.Instant | null
  /** The time when the last reconciliation started. */
  readonly lookedAt: Instant.Instant
  /** The time up to which all changes at the provider have been processed. */
  readonly seenTo: Instant.Instant
}

/** Returns the IDs of the accounts in test mode. Reports skip the payments of these accounts. */
export const findTestAccountIds = (accounts: ReadonlyArray<PaymentConnection>): ReadonlyArray<string> =>
  accounts.filter(({ mode }) => mode === "test").map(({ id }) => id)

/**
 * Returns the location that a secret is bound to when it is sealed. Without this binding, one secret could be opened in
 * place of another.
 */
export const getConnectionSecretLocation = (
  { id, orgId }: Pick<PaymentConnection, "id" | "orgId">,
  secret: "key" | "notices"
): SecretLocation => ({ table: "payment_connections", orgId, id: `${id}/${secret}` })

/**
 * Stores payment connections. A connection references an existing org. An org has at most one connection that is not
 * disconnected. IDs are unique across all orgs. A write that violates these rules fails as a defect and stores nothing.
 */
export class PaymentConnectionStore extends Context.Tag("@trailbook/core/PaymentConnectionStore")<
  PaymentConnectionStore,
  {
    /** Inserts or replaces a connection by key. */
    readonly put: (connection: PaymentConnection) => Effect.Effect<void>
    /** Returns all of an org's connections, including disconnected ones, oldest first. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<PaymentConnection>>
    /** Finds a connection in any org by ID. */
    readonly findById: (id: string) => Effect.Effect<Option.Option<PaymentConnection>>
    /**
     * Claims up to `limit` connections across all orgs whose last reconciliation started before `before`, oldest first.
     * Sets the start of their last reconciliation to `now`.
     */
    readonly claim: (options: {
      readonly before: Instant.Instant
      readonly now: Instant.Instant
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<PaymentConnection>>
    /** Advances `seenTo`. An earlier time has no effect. */
    readonly advanceSeenTo: (key: OrgKey, to: Instant.Instant) => Effect.Effect<void>
    /** Returns up to `limit` connections across all orgs with an ID greater than `after`, sorted by ID. */
    readonly page: (after: string, limit: number) => Effect.Effect<ReadonlyArray<PaymentConnection>>
    /** Replaces a connection's sealed secrets, unless they have changed since the connection was read. */
    readonly reseal: (
      connection: PaymentConnection,
      sealed: Pick<PaymentConnection, "sealedKey" | "sealedNoticeSecret">
    ) => Effect.Effect<void>
  }
>() {}

/** The account that receives guests' payments, without its secrets. */
export const PaymentConnectionView = Schema.Struct({
  id: Id,
  provider: Schema.String,
  mode: Field.withDescription("live, or test if no real money is charged", Schema.Literal("live", "test")),
  account_id: Schema.String,
  name: Field.withDescription("the account name at the provider", Schema.String),
  notices: Field.withDescription(
    "whether the provider sends webhooks, so the server does not need to poll",
    Schema.Boolean
  ),
  connected_at: Timestamp,
  disconnected_at: Schema.NullOr(Timestamp),
  seen_to: Field.withDescription("the time up to which all changes have been received", Timestamp)
})

export const paymentConnectionView = (connection: PaymentConnection): typeof PaymentConnectionView.Type =>
  view({
    ...connection,
    notices: connection.sealedNoticeSecret !== null,
    seenTo: Instant.format(connection.seenTo)
  })

const view = makeViewMapper(PaymentConnectionView)

/**
 * Manages orgs' payment accounts. An org uses one account at a time. The provider is called before anything is
 * stored, and never while a lock is held.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { OrgStore } from "../org/Orgs.ts"
import { failIfNotFound } from "../port/failIfNotFound.ts"
import { Ids } from "../port/Ids.ts"
import { Secrets } from "../port/Secrets.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { notFound, type Refusal } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import type { Instant } from "../time/Instant.ts"
import { getConnectionSecretLocation, type PaymentConnection, PaymentConnectionStore } from "./PaymentConnection.ts"
import { PaymentProvider, type PaymentsFailed, type ProviderCredentials } from "./PaymentProvider.ts"

/** The account to connect. */
export interface NewPaymentConnection {
  readonly orgId: string
  /** The secret key for the account, or for its platform. */
  readonly key: string
  /** The account that a platform acts for. Null if the key belongs to the account itself. */
  readonly account: string | null
  /**
   * The destination for webhooks: a URL to register, or the secret of an endpoint that was registered manually. Null
   * means that Trailbook receives no webhooks, so only reconciliation finds changes.
   */
  readonly notices: { readonly to: (connectionId: string) => string } | { readonly secret: string } | null
  /** Runs in the same transaction as the change. */
  readonly recordChange?: RecordChange | undefined
}

type RecordChange = (connection: PaymentConnection) => Effect.Effect<void>

export class PaymentConnections extends Context.Tag("@trailbook/core/PaymentConnections")<
  PaymentConnections,
  {
    /** The provider's name, which is also part of the webhook URL. */
    readonly provider: string
    /** Returns all connections, including disconnected ones, oldest first. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<PaymentConnection>>
    /**
     * Connects an account for new payments. Connecting the same account again stores its new key, which is then also
     * used to refund earlier payments. A different account replaces the current one.
     */
    readonly connect: (
      input: NewPaymentConnection
    ) => Effect.Effect<PaymentConnection, Refusal<"not_found"> | PaymentsFailed>
    /** Stops taking payments. The key is kept for refunds. */
    readonly disconnect: (
      orgId: string,
      recordChange?: RecordChange
    ) => Effect.Effect<PaymentConnection, Refusal<"not_found">>
    /** Returns the credentials for a connection. */
    readonly access: (connection: PaymentConnection) => Effect.Effect<ProviderCredentials>
  }
>() {
  static readonly layer = Layer.effect(PaymentConnections, Effect.suspend(() => makePaymentConnections))
}

const makePaymentConnections = Effect.gen(function*() {
  const ids = yield* Ids
  const orgs = yield* OrgStore
  const provider = yield* PaymentProvider
  const secrets = yield* Secrets
  const store = yield* PaymentConnectionStore
  const { run } = yield* UnitOfWork

  const lockOrg = (orgId: string) => Effect.flatMap(orgs.lock(orgId), failIfNotFound("org", orgId))
  const findConnected = (orgId: string) =>
    Effect.map(store.list(orgId), (connections) => connections.find(({ disconnectedAt }) => disconnectedAt === null))

  const access = ({ account, sealedKey, sealedNoticeSecret, ...connection }: PaymentConnection) =>
    Effect.gen(function*() {
      const key = yield* secrets.open(sealedKey, getConnectionSecretLocation(connection, "key"))
      const noticeSecret = sealedNoticeSecret === null
        ? null
        : yield* secrets.open(sealedNoticeSecret, getConnectionSecretLocation(connection, "notices"))
      return { key, noticeSecret, account }
    })

  /** A disconnected account's webhooks are refused, so a failure to remove the endpoint is harmless. */
  const stopWatching = (connection: PaymentConnection, credentials: ProviderCredentials) =>
    connection.watchId === null ? Effect.void : provider.unwatch(credentials, connection.watchId).pipe(
      Effect.catchAll(({ message }) =>
        Effect.annotateLogs(
          Effect.logWarning("Could not remove the webhook of a disconnected payment account"),
          { org_id: connection.orgId, connection: connection.id, why: message }
        )
      )
    )

  const toDisconnected = (connection: PaymentConnection, now: Instant): PaymentConnection => ({
    ...connection,
    disconnectedAt: now,
    watchId: null,
    sealedNoticeSecret: null
  })

  return PaymentConnections.of({
    provider: provider.name,
    list: store.list,
    access,
    connect: ({ account, recordChange = doNothing, key, notices, orgId }) =>
      Effect.gen(function*() {
        yield* Effect.flatMap(orgs.find(orgId), failIfNotFound("org", orgId))
        const credentials: ProviderCredentials = { key, account, noticeSecret: null }
        const providerAccount = yield* provider.account(credentials)
        const currentConnection = yield* findConnected(orgId)
        const isSameAccount = currentConnection?.provider === provider.name &&
          currentConnection.accountId === providerAccount.id &&
          currentConnection.mode === providerAccount.mode
        const connectionKey = { orgId, id: isSameAccount ? currentConnection.id : ids.uuid() }
        const webhook = notices !== null && "to" in notices
          ? yield* provider.watch(credentials, notices.to(connectionKey.id))
          : { id: null, noticeSecret: notices?.secret ?? null }
        const now = yield* currentTime
        const connection: PaymentConnection = {
          ...connectionKey,
          provider: provider.name,
          mode: providerAccount.mode,
          accountId: providerAccount.id,
          name: providerAccount.name,
          sealedKey: yield* secrets.seal(key, getConnectionSecretLocation(connectionKey, "key")),
          sealedNoticeSecret: webhook.noticeSecret === null
            ? null
            : yield* secrets.seal(webhook.noticeSecret, getConnectionSecretLocation(connectionKey, "notices")),
          account,
          watchId: webhook.id,
          connectedAt: isSameAccount ? currentConnection.connectedAt : now,
          disconnectedAt: null,
          lookedAt: isSameAccount ? currentConnection.lookedAt : now,
          seenTo: isSameAccount ? currentConnection.seenTo : now
        }
        const replacedConnection = yield* run(Effect.gen(function*() {
          yield* lockOrg(orgId)
          // Another account may have been connected in the meantime. Keep the most recently connected account.
          const earlierConnection = yield* findConnected(orgId)
          if (earlierConnection !== undefined && earlierConnection.id !== connectionKey.id) {
            yield* store.put(toDisconnected(earlierConnection, now))
          }
          yield* store.put(connection)
          yield* recordChange(connection)
          return earlierConnection
        }))
        // Use the new key for the same account, because the old key may have been revoked.
        if (replacedConnection !== undefined) {
          yield* stopWatching(
            replacedConnection,
            replacedConnection.id === connectionKey.id ? credentials : yield* access(replacedConnection)
          )
        }
        return connection
      }),
    disconnect: (orgId, recordChange = doNothing) =>
      Effect.gen(function*() {
        const formerConnection = yield* run(Effect.gen(function*() {
          yield* lockOrg(orgId)
          const connection = yield* findConnected(orgId)
          if (connection === undefined) return yield* notFound("payment connection for org", orgId)
          yield* store.put(toDisconnected(connection, yield* currentTime))
          yield* recordChange(connection)
          return connection
        }))
        yield* stopWatching(formerConnection, yield* access(formerConnection))
        return formerConnection
      })
  })
})

const doNothing = () => Effect.void

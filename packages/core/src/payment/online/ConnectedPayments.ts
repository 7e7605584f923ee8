/**
 * Implements `Payments` with the accounts that orgs have connected. Each payment stays with the account it was
 * requested from, even after the account is disconnected.
 *
 * An earlier version may have registered a webhook endpoint for fewer events, so each process updates the endpoint in
 * its first reconciliation of the account.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { getContactEmail } from "../../customer/Customer.ts"
import { PublicUrl } from "../../port/PublicUrl.ts"
import { TenantScope } from "../../port/UnitOfWork.ts"
import { toChargeItems } from "../../pricing/toChargeItems.ts"
import {
  type Checkout,
  getRefundIdempotencyKey,
  isRefundFromEarlierVersion,
  type PaidPayment,
  type PaymentAccount
} from "../Payment.ts"
import type { PaymentConnection } from "../PaymentConnection.ts"
import { PaymentConnections } from "../PaymentConnections.ts"
import { PaymentProvider, PaymentsFailed, type ProviderCredentials } from "../PaymentProvider.ts"
import { Payments } from "./Payments.ts"

export const layer: Layer.Layer<Payments, never, PaymentConnections | PaymentProvider> = Layer.effect(
  Payments,
  Effect.gen(function*() {
    const connections = yield* PaymentConnections
    const provider = yield* PaymentProvider
    const publicUrl = yield* PublicUrl

    const listConnections = (orgId: string) => Effect.provideService(connections.list(orgId), TenantScope, [orgId])

    const withAccount = <A>(
      account: PaymentAccount & Pick<Checkout, "orgId">,
      query: (access: ProviderCredentials, connection: PaymentConnection) => Effect.Effect<A, PaymentsFailed>
    ): Effect.Effect<A, PaymentsFailed> =>
      Effect.gen(function*() {
        const connection = account.provider === provider.name
          ? (yield* listConnections(account.orgId)).find(({ id }) => id === account.connection)
          : undefined
        if (connection === undefined) {
          return yield* new PaymentsFailed({
            message: `The ${account.provider} account that received this payment is not connected to this server.`,
            reason: "refused"
          })
        }
        return yield* query(yield* connections.access(connection), connection)
      })

    /** The connections whose webhook endpoint was updated or cannot be updated. */
    const updatedConnectionIds = new Set<string>()

    const updateWebhook = (access: ProviderCredentials, { id, orgId, watchId }: PaymentConnection) =>
      watchId === null || updatedConnectionIds.has(id) ? Effect.void : provider.rewatch(access, watchId).pipe(
        Effect.tap(() => Effect.sync(() => updatedConnectionIds.add(id))),
        // Ignore the failure, because reconciliation finds the missing events later.
        Effect.catchAll(({ message, reason }) => {
          if (reason === "refused") updatedConnectionIds.add(id)
          return Effect.annotateLogs(
            Effect.logWarning("Could not update a payment webhook"),
            { org_id: orgId, connection: id, why: message }
          )
        })
      )

    return Payments.of({
      connected: (orgId) =>
        Effect.map(listConnections(orgId), (orgConnections) => {
          const connection = orgConnections.find((one) => one.disconnectedAt === null && one.provider === provider.name)
          return connection === undefined ? null : { provider: connection.provider, connection: connection.id }
        }),
      checkout: (payment, { booking, customer }) =>
        withAccount(payment, (access) =>
          provider.checkout(access, {
            ...payment,
            items: toChargeItems(booking.price?.lines ?? [], payment),
            email: getContactEmail(customer) || null,
            returnUrl: `${publicUrl}/b/${booking.handle}`,
            paidUrl: `${publicUrl}/b/${booking.handle}/paid${booking.status === "confirmed" ? "?balance=1" : ""}`
          })),
      getCheckout: (checkout) => withAccount(checkout, (access) => provider.getCheckout(access, checkout.session)),
      close: (checkout) => withAccount(checkout, (access) => provider.close(access, checkout.session)),
      refund: (payment, refund) =>
        withAccount(payment, (access) =>
          Effect.gen(function*() {
            const { currency, id: paymentId, intent } = payment
            if (refund.providerId !== null) {
              // Query a pending refund, because a request with the same key would only repeat the first response.
              const foundRefund = (yield* provider.refunds(access, intent)).find(({ id }) => id === refund.providerId)
              return foundRefund ?? { id: refund.providerId, status: "pending" as const, reason: "" }
            }
            const key = getRefundIdempotencyKey(payment, refund)
            // A request with a repeated key must be identical, and earlier versions sent neither an amount nor a refund
            // ID.
            const isEarlier = isRefundFromEarlierVersion(payment, refund)
            const cents = isEarlier && refund.cents === payment.cents ? null : refund.cents
            const refundId = isEarlier ? null : refund.id
            return yield* provider.refund(access, { paymentId, intent, refundId, key, cents, currency })
          })),
      refunds: (payment: PaidPayment) => withAccount(payment, (access) => provider.refunds(access, payment.intent)),
      since: (account, moment) =>
        withAccount(
          account,
          (access, connection) => Effect.zipRight(updateWebhook(access, connection), provider.since(access, moment))
        )
    })
  })
)

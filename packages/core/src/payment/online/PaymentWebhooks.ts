/**
 * Receives payment providers' webhooks. Each webhook must have a valid signature. A webhook is used only to find the
 * object to query. Providers do not name an org, so the connection in the URL identifies it.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ensureFinalPeriod } from "../../org/Orgs.ts"
import { TenantScope } from "../../port/UnitOfWork.ts"
import { invalid, notFound, type Refusal, unavailable } from "../../Refusal.ts"
import { currentTime } from "../../time/currentTime.ts"
import { PaymentConnectionStore } from "../PaymentConnection.ts"
import { PaymentConnections } from "../PaymentConnections.ts"
import { PaymentProvider } from "../PaymentProvider.ts"
import { Checkouts } from "./Checkouts.ts"

export interface PaymentWebhookRequest {
  readonly provider: string
  readonly connection: string
  /** The raw bytes covered by the signature. */
  readonly body: Uint8Array
  readonly signature: string | null
}

export class PaymentWebhooks extends Context.Tag("@trailbook/core/PaymentWebhooks")<
  PaymentWebhooks,
  {
    /** Completes once the result is stored. If the webhook is refused, the provider sends it again. */
    readonly receive: (
      notice: PaymentWebhookRequest
    ) => Effect.Effect<void, Refusal<"not_found" | "invalid_request" | "unavailable">>
  }
>() {
  static readonly layer = Layer.effect(PaymentWebhooks, Effect.suspend(() => makePaymentWebhooks))
}

const makePaymentWebhooks = Effect.gen(function*() {
  const checkouts = yield* Checkouts
  const connections = yield* PaymentConnections
  const provider = yield* PaymentProvider
  const store = yield* PaymentConnectionStore

  return PaymentWebhooks.of({
    receive: ({ body, connection: id, provider: name, signature }) =>
      Effect.gen(function*() {
        const connection = Option.getOrUndefined(yield* store.findById(id))
        // A disconnected connection no longer has a secret. The sender gets the same response as for an unknown
        // connection.
        if (connection?.provider !== name || provider.name !== name || connection.sealedNoticeSecret === null) {
          return yield* notFound("payment connection", id)
        }
        const { orgId } = connection
        const applyNotification = Effect.gen(function*() {
          const access = yield* connections.access(connection)
          const notification = yield* provider.notice(access, { body, signature, now: yield* currentTime })
          if (notification !== null) yield* checkouts.apply({ orgId, provider: name, connection: id }, notification)
        })
        yield* Effect.provideService(applyNotification, TenantScope, [orgId]).pipe(
          Effect.catchTag("WebhookRejected", ({ message }) => invalid(message)),
          Effect.catchTag("PaymentsFailed", ({ message, reason }) =>
            Effect.zipRight(
              Effect.annotateLogs(Effect.logWarning("Could not look up a payment after a webhook"), {
                org_id: orgId,
                connection: id,
                why: message
              }),
              unavailable(
                reason === undefined
                  ? "The payment provider is unavailable. Retry the webhook."
                  : `The payment provider rejected the request: ${ensureFinalPeriod(message)} Retry the webhook.`,
                30
              )
            ))
        )
      })
  })
})

import { ConnectedPayments, PaymentConnections } from "@trailbook/core/payment"
import { PublicUrl, type Secrets } from "@trailbook/core/port"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import { StripeProvider } from "@trailbook/stripe"
import type { StripeOptions } from "@trailbook/stripe/clients"
import * as Layer from "effect/Layer"

/** Provides online payment with connected accounts. The first use loads Stripe's library. */
export const connectedAccounts = (
  secrets: Layer.Layer<Secrets>,
  { publicUrl, stripe }: { readonly publicUrl?: string | undefined; readonly stripe?: StripeOptions | undefined } = {}
) =>
  ConnectedPayments.layer.pipe(
    Layer.provide(publicUrl === undefined ? Layer.empty : Layer.succeed(PublicUrl, publicUrl)),
    Layer.provideMerge(PaymentConnections.layer),
    Layer.provideMerge(StripeProvider.layer(stripe)),
    Layer.provide(secrets),
    Layer.provide(NodeIds.layer)
  )

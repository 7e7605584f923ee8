import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Webhook } from "./Webhook.ts"

/** An endpoint's position in its org's log. */
export interface DeliveryProgress {
  /** All events up to this ID were delivered or filtered out. */
  readonly cursor: number
  /** The ID of the org's newest event when a failure stopped the endpoint. Null if the endpoint is not stopped. */
  readonly stoppedAt: number | null
}

/** Stores the endpoints of all orgs and their positions in the log. `Deliveries` delivers events to the endpoints. */
export class WebhookStore extends Context.Tag("@trailbook/core/WebhookStore")<
  WebhookStore,
  {
    /**
     * Adds an endpoint. Its ID must be new across all orgs, and its org must exist. A write that violates these rules
     * fails as a defect. The endpoint receives all events that are committed later. The org's event counter stays
     * locked until the transaction ends, so call `add` last.
     */
    readonly add: (webhook: Webhook) => Effect.Effect<void>
    readonly find: (key: OrgKey) => Effect.Effect<Option.Option<Webhook>>
    /** Returns the current position, regardless of claims. */
    readonly progress: (key: OrgKey) => Effect.Effect<Option.Option<DeliveryProgress>>
    /** Returns all endpoints in an org, oldest first. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<Webhook>>
    /** Removes an endpoint and returns whether it existed. The claim on a running delivery becomes void. */
    readonly remove: (key: OrgKey) => Effect.Effect<boolean>
    /**
     * Continues an endpoint immediately, with the first event after `after`. Returns whether the endpoint exists. Its
     * claim becomes void.
     */
    readonly rewind: (key: OrgKey, after: number) => Effect.Effect<boolean>
    /**
     * Returns endpoints across all orgs with an ID greater than `after`, ordered by ID, so that a caller can process
     * all secrets.
     */
    readonly page: (after: string, limit: number) => Effect.Effect<ReadonlyArray<Webhook>>
    /** Replaces the encrypted secret, unless it was changed concurrently. */
    readonly reseal: (webhook: Webhook, sealedSecret: string) => Effect.Effect<void>
  }
>() {}

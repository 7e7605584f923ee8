import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Webhook } from "./Webhook.ts"

/**
 * How far an endpoint is in its org's log.
 *
 * @category models
 */
export interface DeliveryProgress {
  /** It has had every event up to this one, or does not want it. */
  readonly cursor: number
  /** The org's newest event when it stopped at a failure; null while it is not stopped. */
  readonly stoppedAt: number | null
}

/**
 * The endpoints of every org, and where each stands in its org's log. How they
 * are delivered to is the matter of `Deliveries`.
 *
 * @category ports
 */
export class WebhookStore extends Context.Tag("@trailbook/core/WebhookStore")<
  WebhookStore,
  {
    /**
     * Adds an endpoint with an id that none of the service has, to an org that is
     * there; anything else is a defect. It has had every event that is committed now
     * and begins with the first one after. The org's event
     * counter stays locked until the unit of work ends, so call it last.
     */
    readonly add: (webhook: Webhook) => Effect.Effect<void>
    readonly find: (key: OrgKey) => Effect.Effect<Option.Option<Webhook>>
    /** How far it is just now, whoever has it. */
    readonly standing: (key: OrgKey) => Effect.Effect<Option.Option<DeliveryProgress>>
    /** All of an org, oldest first. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<Webhook>>
    /** Takes an endpoint away and says whether it was there. A delivery under way finds that its claim is void. */
    readonly remove: (key: OrgKey) => Effect.Effect<boolean>
    /** Has an endpoint continue with the first event after `after`, at once, and says whether it is there. A claim under way is void. */
    readonly rewind: (key: OrgKey, after: number) => Effect.Effect<boolean>
    /** Endpoints of all orgs with an id greater than `after`, by id: for work on every secret. */
    readonly page: (after: string, limit: number) => Effect.Effect<ReadonlyArray<Webhook>>
    /** Puts the secret sealed again in the place of `sealedSecret`, unless that has changed. */
    readonly reseal: (webhook: Webhook, sealedSecret: string) => Effect.Effect<void>
  }
>() {}

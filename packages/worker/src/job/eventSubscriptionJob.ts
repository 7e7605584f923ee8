import { type LeasedSubscriber, type Subscriber, Subscriptions } from "@trailbook/core/event"
import * as Effect from "effect/Effect"
import { type AnyJob, eraseClaimType } from "../Job.ts"

/**
 * Delivers events to subscribers in the host application. Reads the list of subscribers before every claim.
 *
 * Each subscriber has at most one run per process. A slow subscriber delays only itself, so the job needs no
 * concurrency limit. If a lease expires during a run, another process can claim the subscriber, but this process does
 * not start another run for it.
 */
export const makeEventSubscriptionJob = (
  subscribers: Effect.Effect<ReadonlyArray<Subscriber>>
): Effect.Effect<AnyJob, never, Subscriptions> =>
  Effect.map(Subscriptions, (subscriptions) =>
    eraseClaimType<LeasedSubscriber>({
      name: "subscriptions",
      concurrency: Infinity,
      pause: "500 millis",
      waitsFor: ({ subscriptions }) => subscriptions,
      claim: (_, underWay) =>
        Effect.flatMap(subscribers, (all) => {
          const runningKeys = new Set(underWay.map(({ subscriber }) => keyOf(subscriber)))
          return subscriptions.claim(all.filter((subscriber) => !runningKeys.has(keyOf(subscriber))))
        }),
      run: (subscriber, ending) =>
        Effect.map(
          subscriptions.run(subscriber, ending),
          ({ delivered, end }) => ({ delivered, failed: end === "failed" ? 1 : 0 })
        ),
      release: subscriptions.release
    }))

const keyOf = ({ name, orgId }: Subscriber): string => `${orgId} ${name}`

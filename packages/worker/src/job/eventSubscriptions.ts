import { type LeasedSubscriber, type Subscriber, Subscriptions } from "@trailbook/core/event/Subscriptions"
import * as Effect from "effect/Effect"
import { type AnyJob, eraseClaimType } from "../Job.ts"

/**
 * Events to subscribers of this program; who they are is asked every time. Each
 * name is told by one run at a time, so there are never more runs than
 * subscribers, and one that hangs holds up no other. Its lease may end meanwhile:
 * then another process may tell the name, and this one still does not.
 *
 * @category jobs
 */
export const eventSubscriptions = (
  subscribers: Effect.Effect<ReadonlyArray<Subscriber>>
): Effect.Effect<AnyJob, never, Subscriptions> =>
  Effect.map(Subscriptions, (subscriptions) =>
    eraseClaimType<LeasedSubscriber>({
      name: "hooks",
      concurrency: Infinity,
      pause: "500 millis",
      waitsFor: ({ subscriptions }) => subscriptions,
      claim: (_, underWay) =>
        Effect.flatMap(subscribers, (all) => {
          const told = new Set(underWay.map(({ subscriber }) => keyOf(subscriber)))
          return subscriptions.claim(all.filter((subscriber) => !told.has(keyOf(subscriber))))
        }),
      run: (leased, ending) =>
        Effect.map(subscriptions.run(leased, ending), ({ end, told }) => ({ told, failed: end === "failed" ? 1 : 0 })),
      release: subscriptions.release
    }))

const keyOf = ({ name, orgId }: Subscriber): string => `${orgId} ${name}`

/**
 * @since 0.1.0
 */
import { Deliveries, type Leased } from "@trailbook/core/webhook/Deliveries"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Job } from "../Job.ts"

/** Of one org: its receivers that hang must leave room for those of others. */
const maxPerOrg = 4

/**
 * Events to webhook endpoints. Whatever is committed waits a quarter of a second
 * at most until it is looked for.
 *
 * @since 0.1.0
 * @category jobs
 */
export const deliveries: Effect.Effect<Job<Leased>, never, Deliveries> = Effect.map(Deliveries, (deliveries) => ({
  name: "deliveries",
  concurrency: 32,
  pause: "250 millis",
  claim: (_, underWay) => Effect.map(deliveries.claim(fullOrgs(underWay)), Option.toArray),
  run: (leased, ending) =>
    Effect.map(deliveries.run(leased, ending), ({ delivered, end }) => ({
      delivered,
      stopped: end === "stopped" ? 1 : 0
    })),
  release: deliveries.release
}))

const fullOrgs = (underWay: ReadonlyArray<Leased>): ReadonlyArray<string> => {
  const runs = new Map<string, number>()
  for (const { claim: { webhook } } of underWay) runs.set(webhook.orgId, (runs.get(webhook.orgId) ?? 0) + 1)
  return [...runs].filter(([, n]) => n >= maxPerOrg).map(([orgId]) => orgId)
}

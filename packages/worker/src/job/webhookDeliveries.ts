import { Deliveries, type ExcludedEndpoints, type LeasedClaim } from "@trailbook/core/webhook/Deliveries"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type AnyJob, eraseClaimType } from "../Job.ts"

/** How many run at a time, of all orgs and of one: the receivers of one that hang leave room for those of others. */
const runs = { all: 32, perOrg: 4 }

/** Of them, for endpoints that have failed last: those that hang leave room for those that answer, also of their own org. */
const stoppedRuns = { all: 16, perOrg: 2 }

/**
 * Events to webhook endpoints. Whatever is committed waits a quarter of a second
 * at most until it is looked for.
 *
 * @category jobs
 */
export const webhookDeliveries: Effect.Effect<AnyJob, never, Deliveries> = Effect.map(
  Deliveries,
  (deliveries) =>
    eraseClaimType<LeasedClaim>({
      name: "deliveries",
      concurrency: runs.all,
      pause: "250 millis",
      waitsFor: ({ deliveries }) => deliveries,
      claim: (_, underWay) => Effect.map(deliveries.claim(passedOver(underWay)), Option.toArray),
      run: (leased, ending) =>
        Effect.map(deliveries.run(leased, ending), ({ delivered, end }) => ({
          delivered,
          stopped: end === "stopped" ? 1 : 0
        })),
      release: deliveries.release
    })
)

const passedOver = (underWay: ReadonlyArray<LeasedClaim>): ExcludedEndpoints => {
  const stopped = underWay.filter(({ claim }) => claim.stoppedAt !== null)
  return {
    exceptOrgs: fullOrgs(underWay, runs.perOrg),
    exceptStoppedOf: stopped.length >= stoppedRuns.all ? "every" : fullOrgs(stopped, stoppedRuns.perOrg)
  }
}

const fullOrgs = (underWay: ReadonlyArray<LeasedClaim>, most: number): ReadonlyArray<string> => {
  const runs = new Map<string, number>()
  for (const { claim: { webhook } } of underWay) runs.set(webhook.orgId, (runs.get(webhook.orgId) ?? 0) + 1)
  return [...runs].filter(([, n]) => n >= most).map(([orgId]) => orgId)
}

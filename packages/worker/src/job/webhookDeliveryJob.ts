import { Deliveries, type ExcludedEndpoints, type LeasedClaim } from "@trailbook/core/webhook"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type AnyJob, eraseClaimType } from "../Job.ts"

/**
 * The maximum number of runs, in total and per org. The per-org limit keeps one org's slow receivers from blocking
 * other orgs.
 */
const runs = { all: 32, perOrg: 4 }

/**
 * The limits for endpoints whose last delivery failed. Working endpoints keep the remaining slots, even within the same
 * org.
 */
const stoppedRuns = { all: 16, perOrg: 2 }

export const webhookDeliveryJob: Effect.Effect<AnyJob, never, Deliveries> = Effect.map(
  Deliveries,
  (deliveries) =>
    eraseClaimType<LeasedClaim>({
      name: "deliveries",
      concurrency: runs.all,
      pause: "250 millis",
      waitsFor: ({ deliveries }) => deliveries,
      claim: (_, underWay) => Effect.map(deliveries.claim(passedOver(underWay)), Option.toArray),
      run: (claim, ending) =>
        Effect.map(deliveries.run(claim, ending), ({ delivered, end }) => ({
          delivered,
          stopped: end === "stopped" ? 1 : 0
        })),
      release: deliveries.release
    })
)

const passedOver = (underWay: ReadonlyArray<LeasedClaim>): ExcludedEndpoints => {
  const stoppedClaims = underWay.filter(({ claim }) => claim.stoppedAt !== null)
  return {
    exceptOrgs: fullOrgs(underWay, runs.perOrg),
    exceptStoppedOf: stoppedClaims.length >= stoppedRuns.all ? "every" : fullOrgs(stoppedClaims, stoppedRuns.perOrg)
  }
}

const fullOrgs = (underWay: ReadonlyArray<LeasedClaim>, most: number): ReadonlyArray<string> => {
  const runs = new Map<string, number>()
  for (const { claim: { webhook } } of underWay) runs.set(webhook.orgId, (runs.get(webhook.orgId) ?? 0) + 1)
  return [...runs].filter(([, n]) => n >= most).map(([orgId]) => orgId)
}

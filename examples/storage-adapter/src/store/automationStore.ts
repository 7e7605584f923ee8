import type { AutomationStore, ClaimedAutomation } from "@trailbook/core/automation"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import type { Journal } from "../Journal.ts"
import { claimRow, isClaimOf, isFree } from "../Lease.ts"
import { page } from "../page.ts"
import { type QueuedAutomation, within } from "../Rows.ts"
import { type Change, get, inGroup, type State } from "../State.ts"

export const automationStore = ({ read, unitOfWork, write }: Journal): AutomationStore["Type"] => {
  const list = (orgId: string) =>
    read(({ automations }) =>
      inGroup(automations, `org ${orgId}`).map((row) => Struct.omit(row, "fence", "leaseUntil"))
    )
  return {
    list,
    // Transactions run one after another, so a row cannot change between its read and the commit.
    lock: list,
    put: (row) =>
      write(({ automations }) => {
        const fence = get(automations, within(row.orgId, row.automation))?.fence ?? 0
        return [put({ ...row, fence, leaseUntil: null })]
      }),
    claim: ({ leaseMs, limit, now }) =>
      unitOfWork.run(Effect.gen(function*() {
        const at = yield* currentTime
        const due = yield* read(({ automations }) =>
          inGroup(automations, "due").filter((row) => (row.nextAt ?? Infinity) <= now && isFree(row, at))
        )
        const next = page(
          due,
          ({ automation, nextAt, orgId }) => ({ at: nextAt ?? 0, id: within(orgId, automation) }),
          {
            limit
          }
        )
        const claims = next.map((row) => claimRow(row, at, leaseMs))
        yield* write(() => claims.map(put))
        return claims.map((row) => Struct.omit(row, "leaseUntil"))
      })),
    scheduleNextRun: (claim, nextAt) =>
      unitOfWork.run(Effect.gen(function*() {
        const rows = yield* read((state) => queued(state, claim))
        yield* write(() => rows.map((row) => put({ ...row, nextAt, leaseUntil: null })))
        return rows.length > 0
      })),
    release: (claims) =>
      write((state) => claims.flatMap((claim) => queued(state, claim)).map((row) => put({ ...row, leaseUntil: null })))
  }
}

const put = (row: QueuedAutomation): Change => ({ table: "automations", row })

const queued = ({ automations }: State, claim: ClaimedAutomation): ReadonlyArray<QueuedAutomation> => {
  const row = get(automations, within(claim.orgId, claim.automation))
  return row !== undefined && isClaimOf(claim, row) ? [row] : []
}

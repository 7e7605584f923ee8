import { AutomationStore, type ClaimedAutomation } from "@trailbook/core/automation/AutomationStore"
import { moment } from "@trailbook/core/time/moment"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import { firstOf } from "./firstOf.ts"
import { claimed, isClaimOf, isFree } from "./Lease.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { everyOrg, type QueuedAutomation, referred, type Tables, within } from "./Tables.ts"

/**
 * @category layers
 */
export const layer: Layer.Layer<AutomationStore, never, MemoryDatabase> = Layer.effect(
  AutomationStore,
  Effect.map(MemoryDatabase, ({ read, unitOfWork, write }) => {
    const list = (orgId: string) =>
      read(({ automations }) =>
        [...Table.range(automations, "ofOrg", orgId)].map((row) => Struct.omit(row, "fence", "leaseUntil"))
      )
    return AutomationStore.of({
      list,
      // Units run one after the other: what one has read, no other changes before it ends.
      lock: list,
      put: (automation) =>
        write((tables) => {
          referred(tables.orgs, automation.orgId)
          const fence = Table.get(tables.automations, keyOf(automation))?.fence ?? 0
          return putAll(tables, [{ ...automation, fence, leaseUntil: null }])
        }),
      claim: ({ leaseMs, limit, now }) =>
        unitOfWork.run(Effect.gen(function*() {
          const at = yield* moment
          const due = yield* read(({ automations }) =>
            firstOf(
              Table.range(automations, "due", everyOrg, { below: { at: now + 1, id: "" } }),
              limit,
              (row) => isFree(row, at)
            )
          )
          const taken = due.map((row) => claimed(row, at, leaseMs))
          yield* write((tables) => putAll(tables, taken))
          return taken.map((row): ClaimedAutomation => Struct.omit(row, "leaseUntil"))
        })),
      moveOn: (claim, nextAt) =>
        unitOfWork.run(Effect.gen(function*() {
          const rows = yield* read((tables) => rowOf(tables, claim))
          yield* write((tables) => putAll(tables, rows.map((row) => ({ ...row, nextAt, leaseUntil: null }))))
          return rows.length > 0
        })),
      release: (claims) =>
        write((tables) =>
          putAll(
            tables,
            claims.flatMap((claim) => rowOf(tables, claim)).map((row) => ({ ...row, leaseUntil: null }))
          )
        )
    })
  })
)

const keyOf = ({ automation, orgId }: { readonly orgId: string; readonly automation: string }) =>
  within(orgId, automation)

const putAll = (tables: Tables, rows: ReadonlyArray<QueuedAutomation>): Tables => ({
  ...tables,
  automations: rows.reduce(Table.put, tables.automations)
})

/** The row that is claimed, unless the claim is void. */
const rowOf = ({ automations }: Tables, claim: ClaimedAutomation): ReadonlyArray<QueuedAutomation> => {
  const row = Table.get(automations, keyOf(claim))
  return row !== undefined && isClaimOf(claim, row) ? [row] : []
}

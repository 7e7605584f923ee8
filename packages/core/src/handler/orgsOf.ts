import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Org } from "../org/Org.ts"
import type { OrgStore } from "../org/OrgStore.ts"
import type { Task } from "../task/Task.ts"

/**
 * The orgs of some tasks by their ids, each read once.
 *
 * @category reading
 */
export const orgsOf = (
  { find }: Pick<OrgStore["Type"], "find">,
  tasks: ReadonlyArray<Task>
): Effect.Effect<ReadonlyMap<string, Org>> =>
  Effect.map(
    Effect.forEach(new Set(tasks.map(({ orgId }) => orgId)), find),
    (found) => new Map(found.flatMap(Option.toArray).map((org) => [org.id, org]))
  )

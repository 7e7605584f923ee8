import { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import { UnitOfWork } from "@trailbook/core/port"
import { min } from "@trailbook/core/time/Instant"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layer } from "../src/JournalStorage.ts"

/**
 * Opens a journal, and closes it when the scope closes. `put` stores an org with this ID, and `ids` reads the IDs of
 * all orgs.
 */
export const openJournal = (file: string) =>
  Effect.map(Layer.build(layer(file)), (storage) => {
    const { all, put } = Context.get(storage, OrgStore)
    const { run, snapshot } = Context.get(storage, UnitOfWork)
    return {
      storage,
      run,
      snapshot,
      put: (id: string) =>
        put(Org.make({ id, name: `Org ${id}`, slug: id, timezone: "America/Denver", createdAt: min })),
      ids: Effect.map(all, (rows) => rows.map(({ id }) => id))
    }
  })

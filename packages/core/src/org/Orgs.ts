import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Event from "../port/Event.ts"
import { EventLog } from "../port/EventLog.ts"
import { failIfNotFound } from "../port/failIfNotFound.ts"
import { Ids } from "../port/Ids.ts"
import { retryOnConflict, UnitOfWork } from "../port/UnitOfWork.ts"
import type { Refusal } from "../Refusal.ts"
import * as Task from "../task/Task.ts"
import { TaskStore } from "../task/Tasks.ts"
import { currentTime } from "../time/currentTime.ts"
import type { Instant } from "../time/Instant.ts"
import * as Org from "./Org.ts"
import { type orgEvents, orgView } from "./OrgView.ts"

/** Stores orgs. Slugs are unique. A write that violates this rule fails as a defect. */
export class OrgStore extends Context.Tag("@trailbook/core/OrgStore")<
  OrgStore,
  {
    readonly find: (id: string) => Effect.Effect<Option.Option<Org.Org>>
    /** Finds an org and locks it until the transaction ends. */
    readonly lock: (id: string) => Effect.Effect<Option.Option<Org.Org>>
    readonly findBySlug: (slug: string) => Effect.Effect<Option.Option<Org.Org>>
    /** Returns all orgs, oldest first. Only the operator uses this query, and no operation lists orgs. */
    readonly all: Effect.Effect<ReadonlyArray<Org.Org>>
    /** Inserts an org, or replaces the org with the same ID. */
    readonly put: (org: Org.Org) => Effect.Effect<void>
  }
>() {}

export class Orgs extends Context.Tag("@trailbook/core/Orgs")<
  Orgs,
  {
    readonly get: (id: string) => Effect.Effect<Org.Org, Refusal<"not_found">>
    /** Creates an org with a unique slug derived from the name. */
    readonly create: (
      input: Pick<Org.Org, "name" | "timezone"> & Partial<Pick<Org.Org, "currency" | "plan">>
    ) => Effect.Effect<Org.Org>
    /** Changes the settings. Creates tasks that delete the bytes of uploaded images that the org no longer shows. */
    readonly update: (
      id: string,
      patch: Org.OrgPatch,
      /** Runs in the transaction that stores the change, unless the patch changes nothing. */
      record?: (before: Org.Org) => Effect.Effect<void>
    ) => Effect.Effect<Org.Org, Refusal<"not_found" | "invalid_request">>
  }
>() {
  static readonly layer = Layer.effect(Orgs, Effect.suspend(() => makeOrgs))
}

const makeOrgs = Effect.gen(function*() {
  const store = yield* OrgStore
  const append = Event.makeAppend<Event.EventPayload<typeof orgEvents>>(yield* EventLog)
  const ids = yield* Ids
  const tasks = yield* TaskStore
  const { run } = yield* UnitOfWork
  const findFreeSlug = (name: string) =>
    Effect.iterate({ slug: toSlug(name), isTaken: true }, {
      while: ({ isTaken }) => isTaken,
      body: ({ slug }) =>
        Effect.map(store.findBySlug(slug), (existing) =>
          Option.isNone(existing)
            ? { slug, isTaken: false }
            : { slug: `${toSlug(name)}-${ids.token(4).toLowerCase()}`, isTaken: true })
    })

  const createOrg = (input: Parameters<Orgs["Type"]["create"]>[0]) =>
    run(Effect.gen(function*() {
      const now = yield* currentTime
      const { slug } = yield* findFreeSlug(input.name)
      const org = Org.make({ ...input, id: ids.uuid(), slug, secret: ids.token(43), createdAt: now })
      yield* store.put(org)
      return org
    }))

  return Orgs.of({
    get: (id) => Effect.flatMap(store.find(id), failIfNotFound("org", id)),
    // If two orgs with the same name are created concurrently, the retry finds that the slug is taken and derives a
    // different one.
    create: (input) => retryOnConflict(createOrg(input)),
    update: (id, patch, record = () => Effect.void) =>
      run(Effect.gen(function*() {
        const current = yield* Effect.flatMap(store.lock(id), failIfNotFound("org", id))
        const org = yield* Org.update(current, patch)
        if (org === current) return org
        yield* store.put(org)
        const images = Org.listUploadedImages(org)
        const removedImages = Org.listUploadedImages(current).filter((image) => !images.includes(image))
        if (removedImages.length > 0) {
          yield* tasks.add(makeImageRemovalTasks(ids, id, removedImages, yield* currentTime))
        }
        yield* record(current)
        yield* append({ orgId: id, type: "org.updated", data: orgView(org) })
        return org
      }))
  })
})

/**
 * Creates the tasks that delete the bytes of uploaded images (`<kind> <id>`). A task keeps its image if the org is
 * showing the image again when the task runs.
 */
export const makeImageRemovalTasks = (
  ids: Ids["Type"],
  orgId: string,
  images: ReadonlyArray<string>,
  dueAt: Instant
): ReadonlyArray<Task.Task> =>
  images.map((subjectId) => Task.make({ id: ids.uuid(), orgId, kind: "photo.remove", subjectId, dueAt }))

/** Derives a slug from a name. `Salida River Co.` becomes `salida-river-co`. */
const toSlug = (name: string): string => {
  const ascii = name.normalize("NFKD").replace(/\p{Mark}/gu, "").toLowerCase()
  return ascii.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 60) || "outfitter"
}

/** Adds a period to a name that ends a sentence, unless the name already ends with one, as in `Co.` or `Inc.`. */
export const ensureFinalPeriod = (name: string): string => name.endsWith(".") ? name : `${name}.`

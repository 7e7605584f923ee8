import { OrgStore } from "@trailbook/core/org/OrgStore"
import * as SqliteStorage from "@trailbook/sqlite"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"

const storage = SqliteStorage.layerConfig({ filename: Config.string("BOOKINGS_FILE") })

/** Makes the file where there is none, and brings its tables up to date. */
export const slugs = Effect.flatMap(OrgStore, ({ all }) => all).pipe(
  Effect.map((orgs) => orgs.map(({ slug }) => slug)),
  Effect.provide(storage)
)

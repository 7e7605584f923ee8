import { OrgStore } from "@trailbook/core/org"
import * as SqliteStorage from "@trailbook/sqlite"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"

const storage = SqliteStorage.layerConfig({ filename: Config.string("BOOKINGS_FILE") })

/** Creates the file if it does not exist, and migrates its tables. */
export const slugs = Effect.flatMap(OrgStore, ({ all }) => all).pipe(
  Effect.map((orgs) => orgs.map(({ slug }) => slug)),
  Effect.provide(storage)
)

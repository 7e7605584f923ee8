import { OrgStore } from "@trailbook/core/org/OrgStore"
import * as PostgresStorage from "@trailbook/postgres"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"

const storage = PostgresStorage.layerConfig({
  url: Config.redacted("BOOKINGS_URL"),
  schema: Config.succeed("booking")
})

/** Makes the schema where there is none, and brings its tables up to date. */
export const slugs = Effect.flatMap(OrgStore, ({ all }) => all).pipe(
  Effect.map((orgs) => orgs.map(({ slug }) => slug)),
  Effect.provide(storage)
)

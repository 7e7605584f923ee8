import { OrgStore } from "@trailbook/core/org"
import * as PostgresStorage from "@trailbook/postgres"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"

const storage = PostgresStorage.layerConfig({
  url: Config.redacted("BOOKINGS_URL"),
  schema: Config.succeed("booking")
})

/** Creates the schema if it does not exist, and migrates its tables. */
export const slugs = Effect.flatMap(OrgStore, ({ all }) => all).pipe(
  Effect.map((orgs) => orgs.map(({ slug }) => slug)),
  Effect.provide(storage)
)

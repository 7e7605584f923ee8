import * as Effect from "effect/Effect"
import { CannotOpen } from "./CannotOpen.ts"
import { open } from "./driver.ts"

/**
 * The version of SQLite that the driver brings, if the driver works. No file is
 * opened.
 */
export const driverVersion: Effect.Effect<string, CannotOpen> = Effect.scoped(
  Effect.map(open(":memory:"), (driver) => String(driver.prepare("select sqlite_version()").pluck().get()))
).pipe(Effect.mapError((cause) => new CannotOpen({ filename: ":memory:", cause })))

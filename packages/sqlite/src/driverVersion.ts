import * as Effect from "effect/Effect"
import { CannotOpen } from "./CannotOpen.ts"
import { open } from "./driver.ts"

/** The SQLite version of the driver. Fails if the driver does not work. Opens no file. */
export const driverVersion: Effect.Effect<string, CannotOpen> = Effect.scoped(
  Effect.map(open(":memory:"), (driver) => String(driver.prepare("select sqlite_version()").pluck().get()))
).pipe(Effect.mapError((cause) => new CannotOpen({ filename: ":memory:", cause })))

import { invalid } from "@trailbook/core/Refusal"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as LocalTime from "@trailbook/core/time/LocalTime"
import * as Zone from "@trailbook/core/time/Zone"
import type { Form } from "@trailbook/http/form"
import * as Effect from "effect/Effect"
import { readInteger } from "../parts/numbers.ts"

/** Parses the first local start and the number of weekly repetitions. */
export const parseStart = (form: Form, timezone: string) =>
  Effect.gen(function*() {
    const date = LocalDate.parse(form["date"] ?? "")
    if (date === undefined) return yield* invalid("date: must be a date such as 2027-05-01")
    const time = LocalTime.parse(form["time"] ?? "")
    if (time === undefined) return yield* invalid("time: must be a time such as 09:00")
    const weeks = yield* readInteger(form, "weeks")
    if (weeks < 1 || weeks > 52) return yield* invalid("weeks: must be 1 to 52")
    const start = Zone.get(timezone).instantAt(date, time)
    return { start, starts_at: Instant.format(start), time, weeks }
  })

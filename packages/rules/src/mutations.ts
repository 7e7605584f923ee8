import type { OfferingInput, OfferingSetup } from "./OfferingSetup.ts"
import type { OfferingWithHours, World } from "./World.ts"

/**
 * A setup in which one setting is loosened by one step. Its rules see the original settings, because the change would
 * otherwise also loosen a rule that reads the setting.
 */
export interface Mutation {
  /** The change, such as `"Raft": capacity 4 -> 5`. */
  readonly setting: string
  /** The index of the offering in the setup. */
  readonly offering: number
  readonly setup: OfferingSetup
  readonly toOriginalWorld: (world: World) => World
}

type Change = Partial<Pick<OfferingInput, "hours" | "sessions">> & { readonly [field: string]: unknown }

/** A change to a setting, as text and as API input. */
interface Step {
  readonly title: string
  readonly change: Change
}

const makeIncrement = (
  field: "capacity" | "max_per_booking" | "max_periods",
  limit: number,
  offering: OfferingWithHours
) =>
  offering[field] < limit
    ? [{ title: `${field} ${offering[field]} -> ${offering[field] + 1}`, change: { [field]: offering[field] + 1 } }]
    : []

const makeZero = (field: "buffer_minutes" | "min_notice_minutes", offering: OfferingWithHours) =>
  offering[field] > 0 ? [{ title: `${field} ${offering[field]} -> 0`, change: { [field]: 0 } }] : []

const allWeek = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, start_time: "00:00", end_time: "24:00" }))

const makeSteps = (offering: OfferingWithHours, { sessions }: OfferingInput): ReadonlyArray<Step> => {
  const capacitySteps = makeIncrement("capacity", 10_000, offering).map(({ change, title }): Step => ({
    title,
    // A session can have its own capacity.
    change: sessions === undefined
      ? change
      : {
        ...change,
        sessions: sessions.map((session) =>
          typeof session.capacity === "number" ? { ...session, capacity: session.capacity + 1 } : session
        )
      }
  }))
  const commonSteps = [
    ...capacitySteps,
    ...makeIncrement("max_per_booking", 10_000, offering),
    ...makeZero("min_notice_minutes", offering)
  ]
  if (offering.kind === "class") return commonSteps
  const { buffer_minutes, duration_minutes, slot_interval_minutes } = offering
  const interval = slot_interval_minutes ?? duration_minutes + buffer_minutes
  const half = Math.floor(interval / 2)
  return [
    ...commonSteps,
    ...makeZero("buffer_minutes", offering),
    ...(offering.kind === "rental" ? makeIncrement("max_periods", 60, offering) : []),
    ...(half >= 5 && half <= 1440
      ? [{ title: `a start every ${interval} minutes -> every ${half}`, change: { slot_interval_minutes: half } }]
      : []),
    { title: "open during its hours -> always open", change: { hours: allWeek } }
  ]
}

/** Returns all setups with one setting loosened by one step. `initialWorld` is the setup as the API shows it. */
export const mutateSettings = (setup: OfferingSetup, initialWorld: World): ReadonlyArray<Mutation> =>
  setup.offerings.flatMap((input, at) => {
    const offering = initialWorld.offerings[at]
    if (offering === undefined) return []
    return makeSteps(offering, input).map(({ change, title }): Mutation => ({
      setting: `"${input.name}": ${title}`,
      offering: at,
      setup: { ...setup, offerings: replaceAt(setup.offerings, at, { ...input, ...change }) },
      toOriginalWorld: (world) => restoreSetting(world, at, offering, "sessions" in change)
    }))
  })

const replaceAt = (
  offerings: OfferingSetup["offerings"],
  at: number,
  replacement: OfferingInput
): OfferingSetup["offerings"] => {
  const [first, ...others] = offerings.map((offering, index) => index === at ? replacement : offering)
  return first === undefined ? offerings : [first, ...others]
}

const restoreSetting = (world: World, at: number, original: OfferingWithHours, includesSessions: boolean): World => {
  const id = world.offerings[at]?.id
  return {
    ...world,
    offerings: world.offerings.map((offering, index) => index === at ? { ...original, id: offering.id } : offering),
    sessions: !includesSessions ?
      world.sessions :
      world.sessions.map((session) =>
        session.offering_id === id && session.capacity !== null
          ? { ...session, capacity: session.capacity - 1 }
          : session
      )
  }
}

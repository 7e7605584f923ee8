import { kinds } from "@trailbook/core/offering/Offering"
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Effect from "effect/Effect"
import type { OfferingInput } from "./OfferingSetup.ts"
import type { StepOutcome } from "./runStep.ts"
import type { Step } from "./Scenario.ts"
import type { Simulation } from "./Simulation.ts"
import type { World } from "./World.ts"

/** One step of a story as it was played. */
export interface PlayedStep {
  readonly before: World
  readonly happened: StepOutcome
  readonly after: World
}

/**
 * What is wrong, in sentences or as errors whose message is one; none when the law
 * holds.
 */
export type Complaints = ReadonlyArray<string | Error>

/** Something that is true of an outfitter's offerings, whatever happens. */
export interface StoryLaw {
  readonly name: string
  readonly says: string
  /** The kinds of offering that it is about. */
  readonly kinds: ReadonlyArray<OfferingInput["kind"]>
  /** What its stories have more of than others. */
  readonly about: ReadonlyArray<Step["_tag"]>
  readonly afterStep: (played: PlayedStep, play: Simulation) => Effect.Effect<Complaints>
  readonly atEnd: (play: Simulation) => Effect.Effect<Complaints, never, Storage>
}

/** About offerings of every kind and steps as they come, when nothing is said. */
type About = Pick<StoryLaw, "name" | "says"> & Partial<Pick<StoryLaw, "about" | "kinds">>

const silent = Effect.succeed([])

/** A law that looks at every step. */
export const everyStep = (law: About, afterStep: StoryLaw["afterStep"]): StoryLaw => ({
  kinds,
  about: [],
  ...law,
  afterStep,
  atEnd: () => silent
})

/** A law about the whole story. */
export const wholeStory = (law: About, atEnd: StoryLaw["atEnd"]): StoryLaw => ({
  kinds,
  about: [],
  ...law,
  afterStep: () => silent,
  atEnd
})
